"""Blind trials: what a model answers to questions without their pictures."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0035_panels"),
        ("curation", "0030_board_decisions"),
    ]

    operations = [
        migrations.AddField(
            model_name="releasekind",
            name="blind_trials",
            field=models.JSONField(null=True),
        ),
        migrations.CreateModel(
            name="PendingTrial",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("retry_at", models.DateTimeField(null=True)),
                ("limited_since", models.DateTimeField(null=True)),
                ("next_try_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.benchmark"
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.job"
                    ),
                ),
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotation.itemrevision"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BlindTrial",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=35)),
                ("model", models.CharField(max_length=200)),
                ("tries", models.PositiveSmallIntegerField()),
                ("hits", models.PositiveSmallIntegerField()),
                ("flagged_from", models.PositiveSmallIntegerField()),
                ("answers", models.JSONField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "prompt",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="curation.prompt",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.itemrevision",
                    ),
                ),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("revision", "language"), name="blind_trial_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("flagged_from__gt", 0),
                            ("hits__gte", 0),
                            ("hits__lte", models.F("tries")),
                            ("tries__gt", 0),
                        ),
                        name="blind_trial_counts",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="blindtrial",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="32adf388c6890e6019da765cf72b1a384b3851a1",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_37e6b",
                    table="annotation_blindtrial",
                    when="BEFORE",
                ),
            ),
        ),
    ]
