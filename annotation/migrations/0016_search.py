"""Texts are indexed for searches by a sweep; the items that have texts are queued for it."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

QUEUE = "insert into annotation_textqueue (item_id) select id from annotation_item where revision_no > 0 order by id"


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0015_excluded_by_decision"),
        ("curation", "0014_call_totals"),
    ]

    operations = [
        migrations.CreateModel(
            name="ItemText",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="indexed",
                        serialize=False,
                        to="annotation.item",
                    ),
                ),
                ("kind", models.CharField(max_length=24)),
                ("revision_no", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("grams", django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
            ],
        ),
        migrations.CreateModel(
            name="TextQueue",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
        ),
        migrations.AddField(
            model_name="itemtext",
            name="benchmark",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="curation.benchmark"
            ),
        ),
        migrations.AddField(
            model_name="textqueue",
            name="item",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="annotation.item",
            ),
        ),
        migrations.AddIndex(
            model_name="itemtext",
            index=django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=["grams"], name="item_text_grams"),
        ),
        migrations.AddIndex(
            model_name="itemtext",
            index=models.Index(fields=["benchmark", "item"], name="item_text_in_order"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itemrevision",
            trigger=pgtrigger.compiler.Trigger(
                name="text_queue",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="insert into annotation_textqueue (item_id) select item_id from new_rows; return null;",
                    hash="c43bc622e809cf16dfd550d1779a3cfc53969d11",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_text_queue_1d3f6",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotation_itemrevision",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(QUEUE, migrations.RunSQL.noop),
    ]
