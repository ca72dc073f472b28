"""The audit log cannot be rewritten, by the owner's session or by the application's role."""

import uuid

import pytest
from django.db import DatabaseError, connection, transaction

from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.core.models import AuditEvent
from curation.core.privileges import append_only_tables, grant_application_role

pytestmark = pytest.mark.django_db


def record(**more):
    return audit.record(action="image_judge", target_type="image", target_id=7, actor_id=1, benchmark_id=1, **more)


@pytest.mark.parametrize(
    ("statement", "verb"),
    [("update curation_auditevent set action = 'x'", "update"), ("delete from curation_auditevent", "delete")],
)
def test_the_trigger_refuses_to_rewrite_history(statement, verb):
    record()
    with (
        pytest.raises(DatabaseError, match=f"append-only: insert a correction instead of {verb}"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert list(AuditEvent.objects.values_list("action", flat=True)) == ["image_judge"]


@pytest.mark.parametrize("verb", ["update {} set id = id", "delete from {}", "truncate {}"])
def test_the_application_role_lacks_the_privilege(verb):
    with connection.cursor() as cursor:
        grant_application_role(cursor, "lantern_app")
        cursor.execute("set local role lantern_app")
        cursor.execute(
            "insert into curation_auditevent (action, target_type, target_id, state_from, state_to, data) "
            "values ('x', 'image', 1, '', '', '{}')"
        )
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            cursor.execute(verb.format("curation_auditevent"))
        cursor.execute("select count(*) from curation_auditevent")
        assert cursor.fetchone() == (1,)
        cursor.execute("reset role")


def test_every_append_only_table_is_known():
    assert append_only_tables() == [
        "annotation_acknowledgement",
        "annotation_blindtrial",
        "annotation_candidatedecision",
        "annotation_click",
        "annotation_clickround",
        "annotation_comment",
        "annotation_dialogueturn",
        "annotation_doublehand",
        "annotation_drawn",
        "annotation_erratum",
        "annotation_erratumevent",
        "annotation_exclusion",
        "annotation_guideline",
        "annotation_importrow",
        "annotation_itemhand",
        "annotation_itemrevision",
        "annotation_populationitem",
        "annotation_releaseentry",
        "annotation_releasefile",
        "annotation_releaseimage",
        "annotation_verdict",
        "curation_auditevent",
        "curation_boardevent",
        "curation_boardproposal",
        "curation_categorylistversion",
        "curation_consent",
        "curation_destruction",
        "curation_destructiondone",
        "curation_exposure",
        "curation_imagepublic",
        "curation_imageverdict",
        "curation_nearpair",
        "curation_offer",
        "curation_prompt",
        "curation_protocollist",
        "curation_protocolversion",
        "curation_redaction",
        "curation_regionproposal",
        "curation_rendition",
        "curation_takedown",
        "evaluation_entryresult",
        "evaluation_feature",
        "evaluation_reply",
        "evaluation_replyfailure",
        "evaluation_replyoverride",
        "evaluation_reportunits",
        "evaluation_setpicture",
        "evaluation_setreport",
        "evaluation_submissionunits",
        "evaluation_system",
        "evaluation_termsacceptance",
    ]


def test_every_append_only_table_has_its_trigger():
    with connection.cursor() as cursor:
        cursor.execute(
            "select distinct relname from pg_trigger join pg_class c on c.oid = tgrelid "
            "where tgname like 'pgtrigger_append_only%%' order by relname"
        )
        assert [r[0] for r in cursor.fetchall()] == append_only_tables()


def test_a_repeated_key_finds_the_first_try():
    key = uuid.uuid4()
    event = record(client_key=key)
    assert audit.already_done(actor_id=1, client_key=key, action="image_judge", target_id=7) == event
    assert audit.already_done(actor_id=2, client_key=key, action="image_judge", target_id=7) is None


@pytest.mark.parametrize(("action", "target"), [("image_clear", 7), ("image_judge", 8)])
def test_a_key_used_for_something_else_is_refused(action, target):
    key = uuid.uuid4()
    record(client_key=key)
    with pytest.raises(ClientKeyReused):
        audit.already_done(actor_id=1, client_key=key, action=action, target_id=target)
