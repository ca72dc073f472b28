"""Pictures have values of further dimensions; groups of categories are corrected after a board is frozen."""

import django.contrib.postgres.indexes
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0028_lists_of_before"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="boardevent",
            name="only_grows",
        ),
        migrations.AddField(
            model_name="image",
            name="axes",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddIndex(
            model_name="image",
            index=django.contrib.postgres.indexes.GinIndex(
                fields=["axes"], name="image_by_axes", opclasses=["jsonb_path_ops"]
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="boardevent",
            trigger=pgtrigger.compiler.Trigger(
                name="only_grows",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if new.action not in ('add', 'regroup') and exists (select 1 from curation_boardentry e join curation_board b on b.id = e.board_id where e.id = new.entry_id and b.state = 'frozen') then raise exception using errcode = 'check_violation', constraint = 'board_only_grows', message = 'the board is frozen'; end if; return new;",
                    hash="c9fad01e704d92b0435404ec60e91e5440761fc1",
                    operation="INSERT",
                    pgid="pgtrigger_only_grows_6a626",
                    table="curation_boardevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="image",
            trigger=pgtrigger.compiler.Trigger(
                name="axes_of_lists",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (new.axes <> '{}')",
                    func="perform 1 from curation_benchmark where id = new.benchmark_id for key share; if exists (select 1 from jsonb_each_text(new.axes) chosen where not exists (select 1 from curation_benchmark b join curation_protocollist l on l.protocol_id = b.protocol_id and l.axis = chosen.key and l.axis <> '' join curation_categorylistversion v on v.id = l.list_id cross join jsonb_path_query(v.content, '$.fields[*].categories[*].slug') entry (slug) where b.id = new.benchmark_id and entry.slug #>> '{}' = chosen.value)) then raise exception using errcode = 'check_violation', constraint = 'image_axes_of_lists', message = 'a value is in no list of the protocol'; end if; return new;",
                    hash="73779bb41ace3b7e129bc565e567c8ee5d2bb093",
                    operation='INSERT OR UPDATE OF "axes"',
                    pgid="pgtrigger_axes_of_lists_cb265",
                    table="curation_image",
                    when="BEFORE",
                ),
            ),
        ),
    ]
