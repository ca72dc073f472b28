"""Teams check each other's items: seats, verdicts, and no accepted item without a star."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0011_option_seed"),
        ("curation", "0008_teams_and_pairs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="seat",
            name="seat_purpose",
        ),
        migrations.RemoveConstraint(
            model_name="verdict",
            name="verdict_stage",
        ),
        migrations.RemoveConstraint(
            model_name="verdict",
            name="verdict_outcome",
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=models.Q(("team__isnull", False)), fields=["team", "kind", "state"], name="item_of_team"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("state", "free")), fields=["group_id", "purpose", "rank"], name="seat_free_of_group"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="vouched",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.\"state\" = 'accepted' AND NEW.\"track\" = 'peer')",
                    constraint="CONSTRAINT",
                    func="if not exists (select from annotation_verdict v where v.item_id = new.id and v.revision_no = new.accepted_no and v.stage = 'peer' and v.outcome = 'star') then raise exception using errcode = 'restrict_violation', message = 'item ' || new.id || ': no star on revision ' || new.accepted_no; end if; return null;",
                    hash="0807f8423c91306218ad6901db6ba7f10ce9640b",
                    operation='INSERT OR UPDATE OF "state", "accepted_no"',
                    pgid="pgtrigger_vouched_89650",
                    table="annotation_item",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ("review", "inspection", "peer"))), name="seat_purpose"
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(("stage__in", ["review", "inspection", "peer", "spot_check"])), name="verdict_stage"
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("outcome__in", ["accept", "correct", "return"]), ("stage", "review")),
                    models.Q(("outcome__in", ["right", "wrong"]), ("stage", "inspection")),
                    models.Q(("outcome__in", ["star", "return"]), ("stage", "peer")),
                    models.Q(("outcome__in", ["right", "wrong"]), ("stage", "spot_check")),
                    _connector="OR",
                ),
                name="verdict_outcome",
            ),
        ),
    ]
