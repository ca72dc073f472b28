"""Panels: several people judge an item, and nobody learns a verdict before all are in."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0034_drafting"),
        ("curation", "0030_board_decisions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Judging",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision_no", models.PositiveIntegerField()),
                ("purpose", models.CharField(max_length=16)),
                ("no", models.PositiveSmallIntegerField()),
                ("form", models.JSONField()),
                ("people", models.PositiveSmallIntegerField()),
                ("done", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("passed", "Passed"), ("failed", "Failed"), ("dropped", "Dropped")],
                        db_default="",
                        default="",
                        max_length=16,
                    ),
                ),
                ("opened_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("closed_at", models.DateTimeField(null=True)),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="item",
            name="picture_items_new",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="item",
            name="picture_items_gone",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="item",
            name="picture_items_moved",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_track",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_excluded_has_reason",
        ),
        migrations.RemoveConstraint(
            model_name="item",
            name="item_once",
        ),
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
        migrations.AddField(
            model_name="verdict",
            name="values",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AlterField(
            model_name="item",
            name="excluded_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("picture", "Picture"),
                    ("skip", "Skip"),
                    ("discard", "Discard"),
                    ("decision", "Decision"),
                    ("panel", "Panel"),
                ],
                db_default="",
                default="",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="track",
            field=models.CharField(
                choices=[("package", "Package"), ("peer", "Peer"), ("panel", "Panel")],
                db_default="package",
                default="package",
                max_length=16,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_new",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="update annotation_pictureitems p set items = p.items + k.n from (select image_id, kind, count(*) as n from new_rows where excluded_for not in ('discard', 'decision', 'panel') and copy_no = 0 group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="141287d630e2d99d584c6e7b18a015a2092712ca",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_picture_items_new_b21a4",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_gone",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="update annotation_pictureitems p set items = p.items - k.n from (select image_id, kind, count(*) as n from old_rows where excluded_for not in ('discard', 'decision', 'panel') and copy_no = 0 group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="109fbc43cd8ed86b21c9678f93a04bfdf4603acd",
                    level="STATEMENT",
                    operation="DELETE",
                    pgid="pgtrigger_picture_items_gone_ce56d",
                    referencing="REFERENCING OLD TABLE AS old_rows ",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_items_moved",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."excluded_for" IS DISTINCT FROM (OLD."excluded_for"))',
                    func="update annotation_pictureitems set items = items + case when new.excluded_for in ('discard', 'decision', 'panel') then 0 else 1 end - case when old.excluded_for in ('discard', 'decision', 'panel') then 0 else 1 end where image_id = new.image_id and kind = new.kind and new.copy_no = 0; return null;",
                    hash="3bbe66796328b1912f5cf96d23faad8d44d5baea",
                    operation='UPDATE OF "excluded_for"',
                    pgid="pgtrigger_picture_items_moved_05a6b",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="passed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.\"state\" = 'accepted' AND NEW.\"track\" = 'panel')",
                    constraint="CONSTRAINT",
                    func="if not exists (select from annotation_judging j where j.item_id = new.id and j.revision_no = new.accepted_no and j.outcome = 'passed') then raise exception using errcode = 'restrict_violation', message = 'item ' || new.id || ': no panel passed revision ' || new.accepted_no; end if; return null;",
                    hash="660d3fd28158138ed4b04baa660a4eeb9273ebc1",
                    operation='INSERT OR UPDATE OF "state", "accepted_no"',
                    pgid="pgtrigger_passed_9d263",
                    table="annotation_item",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("excluded_for__in", ("discard", "decision", "panel")), _negated=True),
                fields=("benchmark", "kind", "image", "slot", "copy_no"),
                name="item_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(("track__in", ["package", "peer", "panel"])), name="item_track"
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("excluded_for__in", ["picture", "skip", "discard", "decision", "panel"]), ("state", "excluded")
                    ),
                    models.Q(models.Q(("state", "excluded"), _negated=True), ("excluded_for", "")),
                    _connector="OR",
                ),
                name="item_excluded_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ("review", "inspection", "peer", "panel"))), name="seat_purpose"
            ),
        ),
        migrations.AddField(
            model_name="judging",
            name="item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="judgings",
                to="annotation.item",
            ),
        ),
        migrations.AddField(
            model_name="verdict",
            name="judging",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="verdicts",
                to="annotation.judging",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(("stage__in", ["review", "inspection", "peer", "spot_check", "panel"])),
                name="verdict_stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("judging__isnull", False), ("stage", "panel")),
                    models.Q(models.Q(("stage", "panel"), _negated=True), ("judging__isnull", True)),
                    _connector="OR",
                ),
                name="verdict_of_judging",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.UniqueConstraint(fields=("judging", "judge"), name="verdict_once_in_judging"),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("outcome__in", ["accept", "correct", "return"]), ("stage", "review")),
                    models.Q(("outcome__in", ["right", "wrong"]), ("stage", "inspection")),
                    models.Q(("outcome__in", ["star", "return"]), ("stage", "peer")),
                    models.Q(("outcome__in", ["right", "wrong"]), ("stage", "spot_check")),
                    models.Q(("outcome__in", ["pass", "fail"]), ("stage", "panel")),
                    _connector="OR",
                ),
                name="verdict_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.UniqueConstraint(fields=("item", "purpose", "no"), name="judging_once"),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)), fields=("item", "purpose"), name="judging_one_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.UniqueConstraint(fields=("id", "item", "revision_no"), name="judging_of_revision"),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.CheckConstraint(condition=models.Q(("purpose", "panel")), name="judging_purpose"),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.CheckConstraint(
                condition=models.Q(("done__gte", 0), ("done__lte", models.F("people")), ("people__range", (1, 9))),
                name="judging_counts",
            ),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("outcome", "")),
                    models.Q(("closed_at__isnull", False), ("outcome", "dropped")),
                    models.Q(
                        ("closed_at__isnull", False),
                        ("done", models.F("people")),
                        ("outcome__in", ["passed", "failed"]),
                    ),
                    _connector="OR",
                ),
                name="judging_closed_with_all",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="judging",
            trigger=pgtrigger.compiler.Trigger(
                name="judging_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="618d35851ef71601ed854e29f47ac5725d7a10a7",
                    operation="DELETE",
                    pgid="pgtrigger_judging_stays_b2c82",
                    table="annotation_judging",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="verdict",
            trigger=pgtrigger.compiler.Trigger(
                name="counted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."judging_id" IS NOT NULL)',
                    func="update annotation_judging set done = done + 1 where id = new.judging_id and closed_at is null and done < people; if not found then raise exception using errcode = 'check_violation', constraint = 'verdict_of_open_judging', message = 'verdict_of_open_judging'; end if; return new;",
                    hash="752a98015f0c6ccc9023427788211dbf60fb777e",
                    operation="INSERT",
                    pgid="pgtrigger_counted_c2e74",
                    table="annotation_verdict",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(
            "alter table annotation_verdict add constraint verdict_of_judged_revision "
            "foreign key (judging_id, item_id, revision_no) references annotation_judging (id, item_id, revision_no)",
            "alter table annotation_verdict drop constraint verdict_of_judged_revision",
        ),
    ]
