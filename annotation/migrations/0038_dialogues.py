"""Dialogues of two people over a picture, the partner of an author, and the field of a base that was drawn."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0037_pairs"),
        ("curation", "0030_board_decisions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Dialogue",
            fields=[
                (
                    "answerer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="dialogues", to="curation.image"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dialogues",
                        to="annotation.item",
                    ),
                ),
                (
                    "left_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "paused_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "questioner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("paused", "Paused"), ("done", "Done"), ("left", "Left")],
                        db_default="open",
                        default="open",
                        max_length=8,
                    ),
                ),
                (
                    "blind_id",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Case(models.When(state__in=["open", "paused"], then=models.F("questioner"))),
                        output_field=models.BigIntegerField(null=True),
                    ),
                ),
                ("caption", models.TextField()),
                ("rounds", models.PositiveSmallIntegerField()),
                ("turn_no", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("answerer_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("questioner_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("answerer_pauses", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("questioner_pauses", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("answerer_ready_at", models.DateTimeField(null=True)),
                ("questioner_ready_at", models.DateTimeField(null=True)),
                ("paused_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, db_default="", default="", max_length=16)),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("ended_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DialogueTurn",
            fields=[
                (
                    "author",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dialogue",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="annotation.dialogue",
                    ),
                ),
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("no", models.PositiveSmallIntegerField()),
                ("text", models.TextField()),
                (
                    "flags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=48), db_default=[], default=list, size=None
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
            name="Waiting",
            fields=[
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.benchmark"
                    ),
                ),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "parts",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=8), size=None),
                ),
                ("since", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("seen_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="itembase",
            name="base_stays",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="itemrevision",
            name="hand_maker",
        ),
        migrations.AddField(
            model_name="itembase",
            name="path",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="itembase",
            name="seed",
            field=models.BinaryField(max_length=16, null=True),
        ),
        migrations.AddField(
            model_name="itemrevision",
            name="partner",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itembase",
            trigger=pgtrigger.compiler.Trigger(
                name="base_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."base_item_id" IS DISTINCT FROM (NEW."base_item_id") OR OLD."path" IS DISTINCT FROM (NEW."path") OR OLD."seed" IS DISTINCT FROM (NEW."seed"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="76455bc11ff464ecec18a4b89adec99c7461c6df",
                    operation="UPDATE",
                    pgid="pgtrigger_base_stays_75f6a",
                    table="annotation_itembase",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itemrevision",
            trigger=pgtrigger.compiler.Trigger(
                name="hand_maker",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="insert into annotation_itemhand (item_id, person_id, hand, span) select i.id, by.person_id, 'maker', case i.track when 'peer' then int4range(new.no, new.no + 1) else int4range(new.no, null) end from annotation_item i, (values (new.author_id), (new.partner_id)) as by (person_id) where i.id = new.item_id and by.person_id is not null and (i.track = 'peer' or not exists (select from annotation_itemhand h where h.item_id = i.id and h.person_id = by.person_id and h.hand = 'maker')) on conflict (item_id, person_id, lower(span)) where hand = 'maker' do nothing; return null;",
                    hash="af70b27f2163d7cd3b0c254ab555a8a2fce5e22f",
                    operation="INSERT",
                    pgid="pgtrigger_hand_maker_f3ae1",
                    table="annotation_itemrevision",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="itemrevision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("partner__isnull", True), models.Q(("partner", models.F("author")), _negated=True), _connector="OR"
                ),
                name="item_revision_partner_is_another",
            ),
        ),
        migrations.AddIndex(
            model_name="dialogue",
            index=models.Index(fields=["answerer", "state"], name="dialogue_of_answerer"),
        ),
        migrations.AddIndex(
            model_name="dialogue",
            index=models.Index(fields=["questioner", "state"], name="dialogue_of_questioner"),
        ),
        migrations.AddIndex(
            model_name="dialogue",
            index=models.Index(
                condition=models.Q(("state__in", ["open", "paused"])), fields=["id"], name="dialogue_unfinished"
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(("answerer", models.F("questioner")), _negated=True), name="dialogue_of_two"
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "paused", "done", "left"])), name="dialogue_state"
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("state", "done"),
                        (
                            "turn_no",
                            django.db.models.expressions.CombinedExpression(models.Value(2), "*", models.F("rounds")),
                        ),
                    ),
                    models.Q(
                        models.Q(("state", "done"), _negated=True),
                        (
                            "turn_no__lt",
                            django.db.models.expressions.CombinedExpression(models.Value(2), "*", models.F("rounds")),
                        ),
                    ),
                    _connector="OR",
                ),
                name="dialogue_done_is_complete",
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("paused_at__isnull", False), ("state", "paused")),
                    models.Q(models.Q(("state", "paused"), _negated=True), ("paused_at__isnull", True)),
                    _connector="OR",
                ),
                name="dialogue_paused_since",
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        (
                            "reason__in",
                            ("no_time", "partner", "picture", "caption", "seen", "other", "stale", "base_changed"),
                        ),
                        ("state", "left"),
                    ),
                    models.Q(models.Q(("state", "left"), _negated=True), ("reason", "")),
                    _connector="OR",
                ),
                name="dialogue_left_has_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", False), ("state__in", ["done", "left"])),
                    models.Q(("state__in", ["open", "paused"]), ("ended_at__isnull", True)),
                    _connector="OR",
                ),
                name="dialogue_ended_at",
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")), fields=("answerer",), name="dialogue_answerer_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")), fields=("questioner",), name="dialogue_questioner_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogue",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "left"), _negated=True), fields=("item",), name="dialogue_of_item_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dialogue",
            trigger=pgtrigger.compiler.Trigger(
                name="people_stay",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."image_id" IS DISTINCT FROM (NEW."image_id") OR OLD."answerer_id" IS DISTINCT FROM (NEW."answerer_id") OR OLD."questioner_id" IS DISTINCT FROM (NEW."questioner_id") OR OLD."caption" IS DISTINCT FROM (NEW."caption") OR OLD."rounds" IS DISTINCT FROM (NEW."rounds"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="9a290c1aa6b1f5523ffc67aabd2e2aa473404f92",
                    operation="UPDATE",
                    pgid="pgtrigger_people_stay_9d608",
                    table="annotation_dialogue",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="dialogueturn",
            constraint=models.UniqueConstraint(fields=("dialogue", "no"), name="dialogue_turn_once"),
        ),
        migrations.AddConstraint(
            model_name="dialogueturn",
            constraint=models.UniqueConstraint(fields=("author", "client_key"), name="dialogue_turn_key_once"),
        ),
        migrations.AddConstraint(
            model_name="dialogueturn",
            constraint=models.CheckConstraint(
                condition=models.Q(("no__gt", 0), models.Q(("text", ""), _negated=True)), name="dialogue_turn_has_text"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dialogueturn",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="1b165af3532d37a0c3b2e4998759eada7d08a7c0",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_26552",
                    table="annotation_dialogueturn",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dialogueturn",
            trigger=pgtrigger.compiler.Trigger(
                name="turn_in_order",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform from annotation_dialogue d where d.id = new.dialogue_id and d.state = 'open' and d.turn_no + 1 = new.no and new.author_id = case new.no % 2 when 1 then d.questioner_id else d.answerer_id end; if not found then raise exception using errcode = 'check_violation', constraint = 'dialogue_turn_in_order', message = 'dialogue_turn_in_order'; end if; return new;",
                    hash="b4370b7758dc08d8a629cd6e1bddd0ca5478b83f",
                    operation="INSERT",
                    pgid="pgtrigger_turn_in_order_fc160",
                    table="annotation_dialogueturn",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="waiting",
            constraint=models.CheckConstraint(
                condition=models.Q(("parts__contained_by", ["question", "answer"]), ("parts__len__gt", 0)),
                name="waiting_parts",
            ),
        ),
        migrations.RunSQL(
            "alter table annotation_dialogue add constraint dialogue_questioner_is_blindfolded "
            "foreign key (image_id, blind_id) references curation_blindfold (image_id, person_id)",
            "alter table annotation_dialogue drop constraint dialogue_questioner_is_blindfolded",
        ),
    ]
