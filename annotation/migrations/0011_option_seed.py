"""The seed by which a release orders the options of questions; final like everything else that is frozen."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_items_of_teams"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="release",
            name="stays",
        ),
        migrations.AddField(
            model_name="release",
            name="option_seed",
            field=models.BigIntegerField(null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op = 'DELETE' then if old.frozen_at is null then return old; end if; elsif old.frozen_at is null or (new.state not in ('draft', 'checked') and row(new.id, new.benchmark_id, new.number, new.kind, new.protocol_id, new.seed, new.splits_from, new.notes, new.previous_id, new.option_seed, new.event_id, new.digest, new.left_out, new.changes, new.frozen_at) is not distinct from row(old.id, old.benchmark_id, old.number, old.kind, old.protocol_id, old.seed, old.splits_from, old.notes, old.previous_id, old.option_seed, old.event_id, old.digest, old.left_out, old.changes, old.frozen_at)) then return new; end if; raise exception using errcode = 'restrict_violation', message = format('release %s is frozen', old.id);",
                    hash="2622d34716975e7a23c3b6bddeb0dae77e6b413a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_stays_0f8a1",
                    table="annotation_release",
                    when="BEFORE",
                ),
            ),
        ),
    ]
