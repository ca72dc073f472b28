"""Accepted items that were found wrong are excluded for good; items know that their picture was restored."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0014_populations_of_spot_checks"),
        ("curation", "0010_full_disks_have_one_code"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision_no", models.PositiveIntegerField()),
                ("reason", models.TextField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_once",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_excluded_has_reason",
        ),
        migrations.AddField(
            model_name="item",
            name="credited",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.item",
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="restored_no",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="item",
            name="excluded_for",
            field=models.CharField(
                blank=True,
                choices=[("picture", "Picture"), ("skip", "Skip"), ("discard", "Discard"), ("decision", "Decision")],
                db_default="",
                default="",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("excluded_for__in", ("discard", "decision")), _negated=True),
                fields=("benchmark", "kind", "image", "slot"),
                name="item_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("excluded_for__in", ["picture", "skip", "discard", "decision"]), ("state", "excluded")),
                    models.Q(models.Q(("state", "excluded"), _negated=True), ("excluded_for", "")),
                    _connector="OR",
                ),
                name="item_excluded_has_reason",
            ),
        ),
        migrations.AddField(
            model_name="exclusion",
            name="excluded_by",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="exclusion",
            name="item",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="exclusion", to="annotation.item"
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="exclusion_has_reason"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exclusion",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="025f6c98ae40093a3edb9123f523758ef69035d6",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_22beb",
                    table="annotation_exclusion",
                    when="BEFORE",
                ),
            ),
        ),
    ]
