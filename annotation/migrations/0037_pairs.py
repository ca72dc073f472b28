"""Items that rest on accepted work, and rounds in which a second person clicks on what expressions mean."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0036_blind_trials"),
        ("curation", "0030_board_decisions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Click",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("key", models.CharField(max_length=32)),
                ("answer", models.CharField(max_length=16)),
                ("x", models.FloatField(null=True)),
                ("y", models.FloatField(null=True)),
                ("hit", models.CharField(blank=True, db_default="", default="", max_length=32)),
                ("correct", models.BooleanField()),
                ("ms", models.PositiveIntegerField(null=True)),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ClickRound",
            fields=[
                (
                    "judging",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="round",
                        serialize=False,
                        to="annotation.judging",
                    ),
                ),
                ("seed", models.BinaryField(max_length=16)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ItemBase",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="base",
                        serialize=False,
                        to="annotation.item",
                    ),
                ),
                ("base_no", models.PositiveIntegerField()),
                ("current", models.BooleanField(db_default=True, default=True)),
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
            name="item_once",
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
            model_name="judging",
            name="judging_purpose",
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
            name="verdict_of_judging",
        ),
        migrations.RemoveConstraint(
            model_name="verdict",
            name="verdict_outcome",
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
                    ("base", "Base"),
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
                choices=[("package", "Package"), ("peer", "Peer"), ("panel", "Panel"), ("pair", "Pair")],
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
                    func="update annotation_pictureitems p set items = p.items + k.n from (select image_id, kind, count(*) as n from new_rows where excluded_for not in ('discard', 'decision', 'panel', 'base') and copy_no = 0 group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="f9428cd595d284f37203259c31f309c39738065b",
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
                    func="update annotation_pictureitems p set items = p.items - k.n from (select image_id, kind, count(*) as n from old_rows where excluded_for not in ('discard', 'decision', 'panel', 'base') and copy_no = 0 group by image_id, kind) as k where p.image_id = k.image_id and p.kind = k.kind; return null;",
                    hash="d79c8c2cd90619f761e565fb866ad9121a7f8d8c",
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
                    func="update annotation_pictureitems set items = items + case when new.excluded_for in ('discard', 'decision', 'panel', 'base') then 0 else 1 end - case when old.excluded_for in ('discard', 'decision', 'panel', 'base') then 0 else 1 end where image_id = new.image_id and kind = new.kind and new.copy_no = 0; return null;",
                    hash="42dc4a145b9b9a1352275bebd44936b83e7871a0",
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
                name="clicked",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.\"state\" = 'accepted' AND NEW.\"track\" = 'pair')",
                    constraint="CONSTRAINT",
                    func="if not exists (select from annotation_judging j where j.item_id = new.id and j.revision_no = new.accepted_no and j.outcome = 'passed') and not exists (select from annotation_verdict v where v.item_id = new.id and v.revision_no = new.accepted_no and v.stage = 'inspection' and v.outcome = 'right') then raise exception using errcode = 'restrict_violation', message = 'item ' || new.id || ': no one confirmed revision ' || new.accepted_no; end if; return null;",
                    hash="8c4f7692d902e58902c8a413578c42cdf3f5184e",
                    operation='INSERT OR UPDATE OF "state", "accepted_no"',
                    pgid="pgtrigger_clicked_292a2",
                    table="annotation_item",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="base_moved",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."accepted_no" IS DISTINCT FROM (NEW."accepted_no"))',
                    func="update annotation_itembase set current = (base_no is not distinct from new.accepted_no) where base_item_id = new.id and current <> (base_no is not distinct from new.accepted_no); return null;",
                    hash="9d375e7852d3c9c12e8c5aa1a65dbeca088b482b",
                    operation='UPDATE OF "accepted_no"',
                    pgid="pgtrigger_base_moved_2aea5",
                    table="annotation_item",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("excluded_for__in", ("discard", "decision", "panel", "base")), _negated=True),
                fields=("benchmark", "kind", "image", "slot", "copy_no"),
                name="item_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(("track__in", ["package", "peer", "panel", "pair"])), name="item_track"
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("excluded_for__in", ("picture", "skip", "discard", "decision", "panel", "base")),
                        ("state", "excluded"),
                    ),
                    models.Q(models.Q(("state", "excluded"), _negated=True), ("excluded_for", "")),
                    _connector="OR",
                ),
                name="item_excluded_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="judging",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ("panel", "clicks"))), name="judging_purpose"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ("review", "inspection", "peer", "panel", "clicks"))),
                name="seat_purpose",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(("stage__in", ("review", "inspection", "peer", "spot_check", "panel", "clicks"))),
                name="verdict_stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("judging__isnull", False), ("stage__in", ("panel", "clicks"))),
                    models.Q(models.Q(("stage__in", ("panel", "clicks")), _negated=True), ("judging__isnull", True)),
                    _connector="OR",
                ),
                name="verdict_of_judging",
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
                    models.Q(("outcome__in", ["pass", "fail"]), ("stage__in", ("panel", "clicks"))),
                    _connector="OR",
                ),
                name="verdict_outcome",
            ),
        ),
        migrations.AddField(
            model_name="click",
            name="judging",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="clicks",
                to="annotation.judging",
            ),
        ),
        migrations.AddField(
            model_name="click",
            name="person",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="clickround",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="e5601bc1e1852461632c20b63c69761aa6cbe87d",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_bad91",
                    table="annotation_clickround",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="itembase",
            name="base_item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="dependents", to="annotation.item"
            ),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.UniqueConstraint(fields=("judging", "person", "position"), name="click_once"),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.UniqueConstraint(fields=("judging", "person", "key"), name="click_of_expression_once"),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.UniqueConstraint(fields=("person", "client_key"), name="click_key_once"),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.CheckConstraint(
                condition=models.Q(("answer__in", ("point", "not_found", "several"))), name="click_answer"
            ),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answer", "point"), ("x__isnull", False), ("y__isnull", False)),
                    models.Q(
                        models.Q(("answer", "point"), _negated=True),
                        ("hit", ""),
                        ("x__isnull", True),
                        ("y__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="click_point_has_place",
            ),
        ),
        migrations.AddConstraint(
            model_name="click",
            constraint=models.CheckConstraint(
                condition=models.Q(("correct", False), ("hit", models.F("key")), _connector="OR"),
                name="click_correct_hits",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="click",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="e27b0996af8ecbb46d2c22ac6d468ef998536779",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_17501",
                    table="annotation_click",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="itembase",
            index=models.Index(
                condition=models.Q(("current", False)), fields=["base_item", "item"], name="item_base_moved"
            ),
        ),
        migrations.AddConstraint(
            model_name="itembase",
            constraint=models.CheckConstraint(
                condition=models.Q(("item", models.F("base_item")), _negated=True), name="item_base_is_another"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itembase",
            trigger=pgtrigger.compiler.Trigger(
                name="base_accepted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform from annotation_item i where i.id = new.base_item_id and i.accepted_no = new.base_no for share; if not found then raise exception using errcode = 'check_violation', constraint = 'item_base_accepted', message = 'item_base_accepted'; end if; return new;",
                    hash="fa94bad93b7415c7447351b9113505c12f6fb577",
                    operation='INSERT OR UPDATE OF "base_no"',
                    pgid="pgtrigger_base_accepted_a2c02",
                    table="annotation_itembase",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itembase",
            trigger=pgtrigger.compiler.Trigger(
                name="base_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."base_item_id" IS DISTINCT FROM (NEW."base_item_id"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="4e68bc147fbdeeb5b359f007acc15d76ff7b4d2d",
                    operation="UPDATE",
                    pgid="pgtrigger_base_stays_75f6a",
                    table="annotation_itembase",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(
            "alter table annotation_itembase add constraint item_base_of_revision "
            "foreign key (base_item_id, base_no) references annotation_itemrevision (item_id, no)",
            "alter table annotation_itembase drop constraint item_base_of_revision",
        ),
    ]
