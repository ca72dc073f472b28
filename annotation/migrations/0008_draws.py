"""Draws of any purpose; those of inspections are copied, and 0009 removes them from where they were."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

# A draw has the id of its inspection.
COPY = """
    insert into annotation_draw
      (id, benchmark_id, purpose, kind, population, criteria, seed, size, drawn_at, closed_at)
      overriding system value
      select i.id, p.benchmark_id, 'inspection', p.kind, i.population,
             jsonb_build_object('package_id', p.id, 'percent', i.percent), i.seed, i.size, i.drawn_at, i.completed_at
      from annotation_inspection i join annotation_package p on p.id = i.package_id;
    select setval(pg_get_serial_sequence('annotation_draw', 'id'), greatest(max(id), 1)) from annotation_draw;
    insert into annotation_drawn (draw_id, item_id, revision_no, stratum, ordinal)
      select inspection_id, item_id, revision_no, stratum, ordinal from annotation_inspectionsample;
    update annotation_inspection set draw_id = id;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_judging"),
        ("curation", "0007_bytes_on_the_disk"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.benchmark"
                    ),
                ),
                ("purpose", models.CharField(max_length=16)),
                ("kind", models.CharField(max_length=24)),
                ("population", models.PositiveIntegerField()),
                ("criteria", models.JSONField(default=dict)),
                ("seed", models.BinaryField(max_length=16)),
                ("size", models.PositiveIntegerField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("drawn_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("closed_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(purpose__in=["inspection", "spot_check"]), name="draw_purpose"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(size__gte=1, size__lte=models.F("population")), name="draw_size"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Drawn",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "draw_id", "item_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="drawn", to="annotation.draw"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.item"
                    ),
                ),
                ("revision_no", models.PositiveIntegerField()),
                ("stratum", models.CharField(max_length=16)),
                ("ordinal", models.PositiveIntegerField()),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=["draw", "ordinal"], name="drawn_ordinal_once"),
                    models.CheckConstraint(
                        condition=models.Q(stratum__in=["random", "corrected"]), name="drawn_stratum"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="inspection",
            name="draw",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="inspection",
                to="annotation.draw",
            ),
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        pgtrigger.migrations.AddTrigger(
            model_name="drawn",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="aabefff42c14fe09f06fbd5934ebcfa8309ae062",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_36e0d",
                    table="annotation_drawn",
                    when="BEFORE",
                ),
            ),
        ),
    ]
