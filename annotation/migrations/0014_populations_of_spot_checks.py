"""The populations of spot checks as rows; those in the criteria of earlier draws are copied and stay."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

COPY = """
    insert into annotation_populationitem (item_id, revision_no, draw_id)
      select item.key::bigint, item.value::int, d.id
      from annotation_draw d, jsonb_each(d.criteria -> 'teams') team, jsonb_each(team.value) item
      where d.purpose = 'spot_check';
    update annotation_draw d
      set criteria = d.criteria || jsonb_build_object('populations', (
        select jsonb_object_agg(team.key, (select count(*) from jsonb_object_keys(team.value)))
        from jsonb_each(d.criteria -> 'teams') team))
      where d.purpose = 'spot_check' and d.criteria ? 'teams';
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0013_imports_name_teams"),
    ]

    operations = [
        migrations.CreateModel(
            name="PopulationItem",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "item_id", "revision_no", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("revision_no", models.PositiveIntegerField()),
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="population_items",
                        to="annotation.draw",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
        pgtrigger.migrations.AddTrigger(
            model_name="populationitem",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="fb618086dda99ed5ece764cd4b2339005378bb9b",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2f564",
                    table="annotation_populationitem",
                    when="BEFORE",
                ),
            ),
        ),
    ]
