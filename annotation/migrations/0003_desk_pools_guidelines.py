"""Guidelines and who has read them, seats of pools, comments, skipping, assigning, time on items."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_composite_keys"),
        ("curation", "0004_notices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Acknowledgement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("given_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                (
                    "mentions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Guideline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("version", models.PositiveIntegerField()),
                ("text", models.JSONField()),
                ("note", models.CharField(blank=True, max_length=500)),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("purpose", models.CharField(max_length=16)),
                ("group_id", models.BigIntegerField()),
                ("round", models.PositiveSmallIntegerField()),
                ("no", models.PositiveSmallIntegerField()),
                ("rank", models.BigIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("free", "Free"), ("held", "Held"), ("done", "Done")], default="free", max_length=8
                    ),
                ),
                ("hold_no", models.PositiveSmallIntegerField(null=True)),
                ("lease_until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_state",
        ),
        migrations.RemoveConstraint(
            model_name="package",
            name="package_has_reviewer",
        ),
        migrations.RemoveConstraint(
            model_name="package",
            name="package_state",
        ),
        migrations.AddField(
            model_name="draft",
            name="active_ms",
            field=models.PositiveIntegerField(db_default=0),
        ),
        migrations.AddField(
            model_name="itemrevision",
            name="active_ms",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="package",
            name="pooled",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="packageitem",
            name="skipped",
            field=models.JSONField(null=True),
        ),
        migrations.AlterField(
            model_name="item",
            name="state",
            field=models.CharField(
                choices=[
                    ("todo", "Todo"),
                    ("made", "Made"),
                    ("skipped", "Skipped"),
                    ("returned", "Returned"),
                    ("accepted", "Accepted"),
                    ("excluded", "Excluded"),
                ],
                default="todo",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="package",
            name="state",
            field=models.CharField(
                choices=[
                    ("available", "Available"),
                    ("assigned", "Assigned"),
                    ("working", "Working"),
                    ("handed_over", "Handed Over"),
                    ("reviewing", "Reviewing"),
                    ("inspecting", "Inspecting"),
                    ("returned", "Returned"),
                    ("passed", "Passed"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="available",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["todo", "made", "skipped", "returned", "accepted", "excluded"])),
                name="item_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="package",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["reviewing", "inspecting", "passed"]), _negated=True),
                    ("reviewer__isnull", False),
                    ("pooled", True),
                    _connector="OR",
                ),
                name="package_has_reviewer",
            ),
        ),
        migrations.AddConstraint(
            model_name="package",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        [
                            "available",
                            "assigned",
                            "working",
                            "handed_over",
                            "reviewing",
                            "inspecting",
                            "returned",
                            "passed",
                            "withdrawn",
                        ],
                    )
                ),
                name="package_state",
            ),
        ),
        migrations.AddField(
            model_name="acknowledgement",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="comments", to="annotation.item"
            ),
        ),
        migrations.AddField(
            model_name="guideline",
            name="benchmark",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="guidelines", to="curation.benchmark"
            ),
        ),
        migrations.AddField(
            model_name="guideline",
            name="created_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="acknowledgement",
            name="guideline",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="acknowledgements", to="annotation.guideline"
            ),
        ),
        migrations.AddField(
            model_name="itemrevision",
            name="guideline",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.guideline"
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="benchmark",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="curation.benchmark",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="holder",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="lapsed_holder",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seats",
                to="annotation.item",
            ),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(fields=["item", "id"], name="comment_of_item"),
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.UniqueConstraint(fields=("author", "client_key"), name="comment_key_once"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="comment",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="012153b1808d9730ad5c2734c34dec39ce1f7f7c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_89102",
                    table="annotation_comment",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="guideline",
            constraint=models.UniqueConstraint(fields=("benchmark", "kind", "version"), name="guideline_version_once"),
        ),
        migrations.AddConstraint(
            model_name="guideline",
            constraint=models.UniqueConstraint(fields=("created_by", "client_key"), name="guideline_key_once"),
        ),
        migrations.AddConstraint(
            model_name="guideline",
            constraint=models.CheckConstraint(condition=models.Q(("version__gt", 0)), name="guideline_counts_from_one"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="guideline",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="245c0f028d339638b4a02b83d97d61fba3558190",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2ee29",
                    table="annotation_guideline",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="acknowledgement",
            constraint=models.UniqueConstraint(fields=("person", "guideline"), name="acknowledgement_once"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="acknowledgement",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="4147e7f093754071866d8d46b8ec5d19673e2a7e",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_bedd8",
                    table="annotation_acknowledgement",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("state", "free")),
                fields=["benchmark", "kind", "purpose", "rank"],
                name="seat_free_by_rank",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("state", "held")), fields=["lease_until"], name="seat_held_by_lease"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["group_id", "purpose", "round"], name="seat_of_group"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("holder__isnull", False)),
                fields=["holder", "benchmark", "kind", "purpose", "rank"],
                name="seat_of_holder",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["benchmark", "kind", "purpose", "state"], name="seat_by_state"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("item", "purpose", "round", "no"), name="seat_once"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("holder__isnull", False)),
                fields=("item", "purpose", "round", "holder"),
                name="seat_one_each",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "held")),
                fields=("holder", "benchmark", "purpose", "hold_no"),
                name="seat_held_at_most",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ["review", "inspection"])), name="seat_purpose"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["free", "held", "done"])), name="seat_state"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("holder__isnull", True), ("state", "free")),
                    models.Q(models.Q(("state", "free"), _negated=True), ("holder__isnull", False)),
                    _connector="OR",
                ),
                name="seat_free_has_no_holder",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("hold_no__isnull", False), ("lease_until__isnull", False), ("state", "held")),
                    models.Q(
                        models.Q(("state", "held"), _negated=True),
                        ("hold_no__isnull", True),
                        ("lease_until__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="seat_held_has_lease",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("lapsed_holder__isnull", True), ("state", "free"), _connector="OR"),
                name="seat_lapsed_is_free",
            ),
        ),
    ]
