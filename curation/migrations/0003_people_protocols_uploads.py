"""Roles as bundles of capabilities, teams, invitations, tokens, consent that can be withdrawn, uploads in parts."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

# What the roles of the first version's protocols were allowed to do; bundles were not written in them yet.
BUNDLES = {
    "admin": ["administer", "collect", "inspect_images"],
    "curator": ["collect", "inspect_images", "inspect"],
    "senior": ["review"],
    "annotator": ["annotate"],
    "contributor": ["collect"],
}
REASONS = {
    "contributor_asks": ("供图者要求撤回", "供圖者要求撤回", "Its contributor asks for it"),
    "rights": ("权利有争议", "權利有爭議", "Rights are disputed"),
    "personal_information": ("含有个人信息", "含有個人資訊", "Shows personal information"),
}


def complete_protocols(apps, schema_editor):
    """Bring protocol versions of the first form into the present one: same numbers, and what was implied is written.

    People who work under them are not asked anew: their consent text stays unhashed, hence nothing is asked.
    """
    versions = apps.get_model("curation", "ProtocolVersion").objects
    first_form = [v for v in versions.all() if "teams" not in v.content]
    if not first_form:
        return
    schema_editor.execute("set constraints all immediate")
    schema_editor.execute("alter table curation_protocolversion disable trigger user")
    for version in first_form:
        content = version.content
        for role in content.get("roles", []):
            role.setdefault("capabilities", BUNDLES.get(role["code"], []))
        content |= {"teams": None, "people": {}, "consent": None}
        images = content.setdefault("images", {})
        images |= {"sources": ["own", "external"], "sites": [], "quota": None}
        images["takedown_reasons"] = [
            {"code": code, "name": dict(zip(("zh-Hans", "zh-Hant", "en"), names, strict=True))}
            for code, names in REASONS.items()
        ]
        content.setdefault("tracks", {}).setdefault("planned", {})
        content.setdefault("planned", {})
        version.save(update_fields=["content"])
    schema_editor.execute("alter table curation_protocolversion enable trigger user")


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0002_composite_keys"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120)),
                ("prefix", models.CharField(max_length=16, unique=True)),
                ("secret_sha256", models.CharField(max_length=64)),
                (
                    "operations",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=48), size=None),
                ),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="InspectionHold",
            fields=[
                (
                    "image",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="hold",
                        serialize=False,
                        to="curation.image",
                    ),
                ),
                ("held_until", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "purpose",
                    models.CharField(
                        choices=[("join", "Join"), ("password", "Password")], default="join", max_length=8
                    ),
                ),
                ("token_sha256", models.CharField(max_length=64, unique=True)),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=48), default=list, size=None
                    ),
                ),
                ("lead", models.BooleanField(default=False)),
                ("note", models.CharField(blank=True, max_length=120)),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Takedown",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("no", models.PositiveIntegerField()),
                ("restored", models.BooleanField(default=False)),
                ("state_from", models.CharField(max_length=16)),
                ("reason", models.CharField(blank=True, max_length=48)),
                ("comment", models.TextField(blank=True)),
                ("client_key", models.UUIDField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("kind", models.CharField(default="picture", max_length=8)),
                ("filename", models.CharField(max_length=255)),
                ("bytes", models.BigIntegerField()),
                ("received", models.BigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("receiving", "Receiving"),
                            ("checking", "Checking"),
                            ("ready", "Ready"),
                            ("refused", "Refused"),
                            ("taken", "Taken"),
                            ("dropped", "Dropped"),
                            ("failed", "Failed"),
                        ],
                        default="receiving",
                        max_length=16,
                    ),
                ),
                ("checks", models.JSONField(default=list)),
                ("cleaned", models.JSONField(null=True)),
                ("details", models.JSONField(default=dict)),
                ("error_code", models.CharField(blank=True, max_length=64)),
                ("error_params", models.JSONField(default=dict)),
                ("client_key", models.UUIDField()),
                ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("expires_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="category",
            name="definition",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="category",
            name="short_name",
            field=models.JSONField(null=True),
        ),
        migrations.AlterField(
            model_name="category",
            name="distance",
            field=models.CharField(blank=True, default="", max_length=16),
        ),
        migrations.RemoveConstraint(
            model_name="category",
            name="category_distance",
        ),
        migrations.AddConstraint(
            model_name="category",
            constraint=models.CheckConstraint(
                condition=models.Q(("distance__in", ["coco", "moderate", "closest", ""])), name="category_distance"
            ),
        ),
        migrations.RemoveField(
            model_name="consent",
            name="benchmark",
        ),
        migrations.RemoveField(
            model_name="consent",
            name="person",
        ),
        migrations.RemoveConstraint(
            model_name="image",
            name="image_state",
        ),
        migrations.RemoveConstraint(
            model_name="team",
            name="team_once",
        ),
        migrations.AddField(
            model_name="image",
            name="collected_for",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.category"
            ),
        ),
        migrations.AddField(
            model_name="image",
            name="phash_inner",
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="image",
            name="objects_all",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="objects_listed",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="objects_main",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="verdict_no",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="imageverdict",
            name="details",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="imageverdict",
            name="no",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="protocolversion",
            name="consent_sha256",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="protocolversion",
            name="created_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="protocolversion",
            name="source",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="rolegrant",
            name="ended_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="team",
            name="closed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="team",
            name="created_at",
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
        ),
        migrations.AddField(
            model_name="team",
            name="lead",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="image",
            name="state",
            field=models.CharField(
                choices=[
                    ("received", "Received"),
                    ("accepted", "Accepted"),
                    ("refused", "Refused"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="received",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="rolegrant",
            name="role",
            field=models.CharField(max_length=48),
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(fields=["benchmark_id", "actor_id", "id"], name="audit_event_actor"),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["received", "accepted", "refused", "withdrawn"])), name="image_state"
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("objects_all__isnull", True), ("objects_listed__isnull", True), ("objects_main__isnull", True)
                    ),
                    models.Q(
                        ("objects_listed__lte", models.F("objects_all")),
                        ("objects_main__lte", models.F("objects_listed")),
                    ),
                    _connector="OR",
                ),
                name="image_objects_nested",
            ),
        ),
        # Decisions taken before they were counted get their numbers in the order they came.
        migrations.RunSQL(
            """
            alter table curation_imageverdict disable trigger user;
            update curation_imageverdict v set no = n.no from (
              select id, row_number() over (partition by image_id order by id) as no from curation_imageverdict) n
              where n.id = v.id;
            alter table curation_imageverdict enable trigger user;
            update curation_image i set verdict_no = (
              select count(*) from curation_imageverdict v where v.image_id = i.id);
            update curation_image set collected_for_id = category_id;
            set constraints all immediate;
            """,
            migrations.RunSQL.noop,
        ),
        migrations.AddConstraint(
            model_name="imageverdict",
            constraint=models.UniqueConstraint(fields=("image", "no"), name="image_verdict_in_order"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None)), fields=("benchmark", "name"), name="team_name_once"
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="benchmark",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.benchmark"
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="tokens", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="inspectionhold",
            name="holder",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="benchmark",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="invitations", to="curation.benchmark"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="invited_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="person",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="team",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.team"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="used_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="takedown",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="takedown",
            name="image",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="takedowns", to="curation.image"
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="benchmark",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="uploads", to="curation.benchmark"
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="image",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.image"
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="parent",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="curation.upload"
            ),
        ),
        migrations.AddField(
            model_name="upload",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="uploads", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.DeleteModel(
            name="Consent",
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.UniqueConstraint(fields=("person", "client_key"), name="api_token_once"),
        ),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(("operations__len__gt", 0)), name="api_token_opens_something"
            ),
        ),
        migrations.AddIndex(
            model_name="inspectionhold",
            index=models.Index(fields=["holder", "held_until"], name="inspection_hold_of"),
        ),
        migrations.AddIndex(
            model_name="invitation",
            index=models.Index(fields=["benchmark", "-id"], name="invitation_newest"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(fields=("invited_by", "client_key"), name="invitation_once"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("person", None), ("purpose", "join")),
                    models.Q(("person__isnull", False), ("purpose", "password"), ("roles", [])),
                    _connector="OR",
                ),
                name="invitation_purpose",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("used_at", None), ("used_by", None)),
                    models.Q(("used_at__isnull", False), ("used_by__isnull", False)),
                    _connector="OR",
                ),
                name="invitation_used_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("used_at", None), ("revoked_at", None), _connector="OR"), name="invitation_one_end"
            ),
        ),
        migrations.AddConstraint(
            model_name="takedown",
            constraint=models.UniqueConstraint(fields=("image", "no"), name="takedown_in_order"),
        ),
        migrations.AddConstraint(
            model_name="takedown",
            constraint=models.UniqueConstraint(fields=("by", "client_key"), name="takedown_once"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="takedown",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="398611e09fb68cf761f579451ae080260565bf2c",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_e0f2d",
                    table="curation_takedown",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(fields=["person", "benchmark", "-created_at"], name="upload_newest"),
        ),
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(fields=["expires_at"], name="upload_expiry"),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.UniqueConstraint(fields=("person", "client_key"), name="upload_once"),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(("received__gte", 0), ("received__lte", models.F("bytes"))), name="upload_received"
            ),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(condition=models.Q(("kind__in", ["picture", "zip"])), name="upload_kind"),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["receiving", "checking", "ready", "refused", "taken", "dropped", "failed"])
                ),
                name="upload_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "zip"), ("state", "taken")),
                    models.Q(("image__isnull", False), ("state", "taken")),
                    models.Q(models.Q(("state", "taken"), _negated=True), ("image", None)),
                    _connector="OR",
                ),
                name="upload_taken_as_picture",
            ),
        ),
        migrations.AlterField(
            model_name="imageverdict",
            name="no",
            field=models.PositiveIntegerField(),
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("no", models.PositiveIntegerField()),
                ("given", models.BooleanField()),
                ("text_version", models.PositiveIntegerField()),
                ("text_sha256", models.CharField(max_length=64)),
                (
                    "eligibility",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=48), default=list, size=None
                    ),
                ),
                ("client_key", models.UUIDField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="consents", to="curation.benchmark"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("person", "benchmark", "no"), name="consent_in_order"),
                    models.UniqueConstraint(fields=("person", "client_key"), name="consent_once"),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="consent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="raise exception using errcode = 'restrict_violation', message = format('%s is append-only: insert a correction instead of %s', tg_table_name, lower(tg_op));",
                    hash="6ffdea4b32d8e50f9228bd0a4fb0862618242892",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_6d9a1",
                    table="curation_consent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(fields=["benchmark", "category", "number"], name="image_by_category"),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(fields=["benchmark", "subset", "number"], name="image_by_subset"),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(fields=["benchmark", "contributor", "number"], name="image_by_contributor"),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("pii_clear_by", None)), fields=["benchmark", "number"], name="image_not_clear"
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("pii_clear_by__isnull", False)), fields=["benchmark", "number"], name="image_clear"
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("flags__contains", [{"code": "blurred"}])),
                fields=["benchmark", "number"],
                name="image_blurred",
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("flags__contains", [{"code": "near_duplicate"}])),
                fields=["benchmark", "number"],
                name="image_near_duplicate",
            ),
        ),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                fields=["benchmark"], include=("phash", "phash_inner", "state", "number", "id"), name="image_hashes"
            ),
        ),
        migrations.RunPython(complete_protocols, migrations.RunPython.noop),
    ]
