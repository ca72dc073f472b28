import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

# A protocol that names dialogue for the first time: whoever had a role before may have seen every picture so far.
NAMES = "(content->'kinds' ? 'dialogue' or content->'planned' ? 'dialogue')"
FIRST_DIALOGUE = f"""
    create function curation_exposures_before_dialogue() returns trigger language plpgsql as $$ begin
    if exists (select from curation_protocolversion where id = new.protocol_id and {NAMES})
       and not exists (select from curation_protocolversion where id = old.protocol_id and {NAMES}) then
        insert into curation_exposureall (person_id, benchmark_id, up_to_image_id)
        select distinct g.person_id, new.id, m.newest from curation_rolegrant g,
               (select max(id) as newest from curation_image where benchmark_id = new.id) m
        where g.benchmark_id = new.id and m.newest is not null
        on conflict (person_id, benchmark_id) do update
        set up_to_image_id = greatest(curation_exposureall.up_to_image_id, excluded.up_to_image_id);
    end if; return null; end $$;
    create trigger curation_exposures_before_dialogue after update of protocol_id on curation_benchmark
    for each row when (old.protocol_id is not null and new.protocol_id is distinct from old.protocol_id)
    execute function curation_exposures_before_dialogue();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0021_mailed_notices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Blindfold",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "image_id", "person_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("since", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "image",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="blindfolds",
                        to="curation.image",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CoverHold",
            fields=[
                (
                    "image",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="cover_hold",
                        serialize=False,
                        to="curation.image",
                    ),
                ),
                ("held_until", models.DateTimeField()),
                (
                    "holder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Destruction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                ("rendition_id", models.BigIntegerField(null=True)),
                ("reason", models.CharField(max_length=16)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="destructions", to="curation.image"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="DestructionDone",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "destruction_id", "place", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("place", models.CharField(max_length=16)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "destruction",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="done",
                        to="curation.destruction",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Exposure",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "person_id", "image_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("first_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "image",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="curation.image",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ExposureAll",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "person_id", "benchmark_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("up_to_image_id", models.BigIntegerField()),
                ("first_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "benchmark",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="curation.benchmark",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImagePublic",
            fields=[
                (
                    "image",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="curation.image",
                    ),
                ),
                ("since", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Redaction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("no", models.PositiveIntegerField()),
                ("covers", models.BooleanField()),
                ("regions", models.JSONField()),
                ("client_key", models.UUIDField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "by",
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="redactions", to="curation.image"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="RegionProposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("detector", models.CharField(max_length=64)),
                ("regions", models.JSONField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="region_proposals",
                        to="curation.image",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="image",
            name="clear_no",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="redaction_no",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="image",
            name="shared_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="shared_no",
            field=models.PositiveIntegerField(null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="image",
            trigger=pgtrigger.compiler.Trigger(
                name="clear_version",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN ((new.pii_clear_by_id is null) <> (new.clear_no is null))",
                    func="new.clear_no := case when new.pii_clear_by_id is not null then new.redaction_no end; return new;",
                    hash="8f6bbdcec1f9bd08f8b34c4e681ff8f2e38fe410",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_clear_version_8928c",
                    table="curation_image",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="image",
            trigger=pgtrigger.compiler.Trigger(
                name="versions_only_grow",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (new.redaction_no < old.redaction_no)",
                    func="raise exception using errcode = 'restrict_violation', message = 'versions only grow';",
                    hash="997db4826d1de76efe0fdfcdde7b2391aad2876c",
                    operation='UPDATE OF "redaction_no"',
                    pgid="pgtrigger_versions_only_grow_616ec",
                    table="curation_image",
                    when="BEFORE",
                ),
            ),
        ),
        # What was ticked before had one version only.
        migrations.RunSQL(
            "update curation_image set clear_no = 0 where pii_clear_by_id is not null and clear_no is null",
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(FIRST_DIALOGUE, "drop function curation_exposures_before_dialogue() cascade"),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("clear_no__isnull", True), ("pii_clear_by__isnull", True)),
                    models.Q(("clear_no", models.F("redaction_no")), ("pii_clear_by__isnull", False)),
                    _connector="OR",
                ),
                name="image_clear_of_version",
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("shared_at__isnull", True), ("shared_no__isnull", True)),
                    models.Q(("shared_at__isnull", False), ("shared_no", models.F("redaction_no"))),
                    _connector="OR",
                ),
                name="image_shared_of_version",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="imagepublic",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="18fa02d2a2b42f12eb5d0717aba254ee69382275",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_bfd4f",
                    table="curation_imagepublic",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="imagepublic",
            trigger=pgtrigger.compiler.Trigger(
                name="eye",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform pg_advisory_xact_lock(hashtextextended('eyes of all', 0)); if exists (select from curation_blindfold b join new_rows n on n.image_id = b.image_id) then raise exception using errcode = 'check_violation', constraint = 'exposure_blindfolded', message = 'exposure_blindfolded'; end if; return null;",
                    hash="7e48c759656901c7918948950ca6d801868ba6fc",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_eye_9066b",
                    referencing="REFERENCING NEW TABLE AS new_rows ",
                    table="curation_imagepublic",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="blindfold",
            trigger=pgtrigger.compiler.Trigger(
                name="eye",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform pg_advisory_xact_lock_shared(hashtextextended('eyes of all', 0)); perform pg_advisory_xact_lock(hashtextextended('eyes' || ':' || new.person_id, 0)); perform pg_advisory_xact_lock(hashtextextended('eye' || ':' || new.person_id || ':' || new.image_id, 0)); if exists (select from curation_exposure e where e.person_id = new.person_id and e.image_id = new.image_id) or exists (select from curation_exposureall e join curation_image i on i.benchmark_id = e.benchmark_id where i.id = new.image_id and e.person_id = new.person_id and e.up_to_image_id >= i.id) or exists (select from curation_imagepublic p where p.image_id = new.image_id) or exists (select from curation_image i where i.id = new.image_id and i.contributor_id = new.person_id) then raise exception using errcode = 'check_violation', constraint = 'blindfold_has_seen', message = 'blindfold_has_seen'; end if; return new;",
                    hash="346ef9f33acb0ea19f3f48c012bf591481f6c379",
                    operation="INSERT",
                    pgid="pgtrigger_eye_16aef",
                    table="curation_blindfold",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="coverhold",
            index=models.Index(fields=["holder", "held_until"], name="cover_hold_of"),
        ),
        migrations.AddConstraint(
            model_name="destruction",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason__in", ["covered", "original"])), name="destruction_reason"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="destruction",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="4746b9262b220d2d48116100392bf8da9f0d6f82",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_a118c",
                    table="curation_destruction",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="destructiondone",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="30d90441eec3303d6d2c252fdbfa5f9980394d3f",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_65a14",
                    table="curation_destructiondone",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exposure",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="041a8fe64e16a44140e4d457879c68a3f77e74fb",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_5ff60",
                    table="curation_exposure",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exposure",
            trigger=pgtrigger.compiler.Trigger(
                name="eye",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform pg_advisory_xact_lock(hashtextextended('eye' || ':' || new.person_id || ':' || new.image_id, 0)); if exists (select from curation_blindfold b where b.image_id = new.image_id and b.person_id = new.person_id) then raise exception using errcode = 'check_violation', constraint = 'exposure_blindfolded', message = 'exposure_blindfolded'; end if; return new;",
                    hash="a7e28d37a3e8e4b0a45411d00ada41ee8d5c337d",
                    operation="INSERT",
                    pgid="pgtrigger_eye_3578a",
                    table="curation_exposure",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exposureall",
            trigger=pgtrigger.compiler.Trigger(
                name="eye",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform pg_advisory_xact_lock(hashtextextended('eyes' || ':' || new.person_id, 0)); if exists (select from curation_blindfold b join curation_image i on i.id = b.image_id where b.person_id = new.person_id and i.benchmark_id = new.benchmark_id and b.image_id <= new.up_to_image_id) then raise exception using errcode = 'check_violation', constraint = 'exposure_blindfolded', message = 'exposure_blindfolded'; end if; return new;",
                    hash="0283c1d808f454c661b5cf9d62f1d258a003037e",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_eye_9b906",
                    table="curation_exposureall",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="redaction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("covers", True)), fields=("image", "no"), name="redaction_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="redaction",
            constraint=models.UniqueConstraint(fields=("by", "client_key"), name="redaction_once"),
        ),
        migrations.AddConstraint(
            model_name="redaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("covers", False), ("no__gt", 0), _connector="OR"), name="redaction_makes_version"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="redaction",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="df38baf75ab48615800c9e6ee6e5faffd0fefd16",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_7993a",
                    table="curation_redaction",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="regionproposal",
            index=models.Index(fields=["image", "version", "detector", "-id"], name="region_proposal_newest"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="regionproposal",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="02c6c8df804685050f48aa7f0831fc9d9cbf571c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_b6dd0",
                    table="curation_regionproposal",
                    when="BEFORE",
                ),
            ),
        ),
    ]
