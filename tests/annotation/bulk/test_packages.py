"""Assigning and revoking many packages: exactly the rows of the preview, and back where nobody changed them since."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.bulk import services
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.services import running
from annotation.packages import services as packages
from annotation.packages.models import Package
from curation.core import jobs
from curation.core.models import AuditEvent, Job
from curation.people.models import Notice, RoleGrant
from tests.annotation.bulk.bulk import counts, finish, prepare, run
from tests.annotation.track import command, new_world, submitted_package
from tests.people import key, send, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    """Six packages of one item; the first was submitted, the second is being written."""
    made = new_world(pictures=6, size=1)
    submitted_package(made)
    packages.claim_package(actor=made.annotator, benchmark_slug="cvlue", kind="captions")
    return made


def states():
    return list(Package.objects.order_by("number").values_list("state", "assignee__username"))


FREE = ("available", None)
STARTED = [("handed_over", "annotator"), ("working", "annotator")]


def test_the_preview_says_what_single_operations_would_and_changes_nothing(here):
    before = states()
    preview = prepare(signed_in(here.admin), "assign", {"person": here.annotator2.pk})
    assert states() == before == [*STARTED, *[FREE] * 4]
    assert (preview["state"], preview["action"], preview["target"], preview["undoable"]) == (
        "prepared",
        "assign",
        "package",
        True,
    )
    assert counts(preview) == {"pending": 4, "refused": 2}
    assert preview["examples"] == ["cap-pkg-0003", "cap-pkg-0004", "cap-pkg-0005", "cap-pkg-0006"]
    assert preview["reasons"] == [
        {
            "code": "action_not_allowed",
            "params": {"action": "package_assign", "state": state},
            "count": 1,
            "examples": [label],
        }
        for state, label in (("handed_over", "cap-pkg-0001"), ("working", "cap-pkg-0002"))
    ]
    assert preview["available_actions"] == ["bulk_apply"]
    assert not AuditEvent.objects.filter(action__startswith="bulk").exists()


def test_exactly_the_rows_of_the_preview_are_assigned(here):
    admin = signed_in(here.admin)
    third, fourth, fifth = Package.objects.filter(number__in=[3, 4, 5]).order_by("number")
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, ids=[third.pk, fourth.pk])
    # One row changes, others begin to match.
    command(packages.assign_package, here.admin, fourth, person=here.annotator.pk)
    done = finish(admin, preview)
    assert (done["state"], counts(done)) == ("done", {"done": 1, "refused": 1})
    assert done["reasons"][0]["code"] == "bulk_target_changed"
    assert states()[2:] == [("assigned", "annotator2"), ("assigned", "annotator"), FREE, FREE]
    assert list(AuditEvent.objects.filter(target_type="bulk").values_list("action", "state_to", "data")) == [
        ("bulk_apply", "running", {"action": "assign", "rows": 2})
    ]
    assert AuditEvent.objects.filter(action="package_assign", target_id=third.pk, actor_id=here.admin.pk).count() == 1
    assert fifth.pk not in BulkTarget.objects.values_list("target_id", flat=True)


def test_all_that_match_a_filter_and_one_notice_for_all(here):
    admin = signed_in(here.admin)
    preview = prepare(
        admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available", "sort": "-number"}
    )
    assert counts(preview) == {"pending": 4}
    finish(admin, preview)
    assert states() == [*STARTED, *[("assigned", "annotator2")] * 4]
    [notice] = Notice.objects.filter(person=here.annotator2)
    assert (notice.code, notice.params) == ("packages_assigned", {"package": "cap-pkg-0003", "count": 4})


def test_undo_leaves_what_others_changed_since(here):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    finish(admin, preview)
    claimed, _ = packages.claim_package(actor=here.annotator2, benchmark_slug="cvlue", kind="captions")
    undone = finish(admin, preview, "undo")
    assert (undone["state"], counts(undone)) == ("undone", {"undone": 3, "kept": 1})
    assert (undone["reasons"][0]["code"], undone["reasons"][0]["examples"]) == ("bulk_target_changed", [claimed.label])
    assert states() == [*STARTED, ("working", "annotator2"), FREE, FREE, FREE]
    assert undone["available_actions"] == []
    assert told(send(admin, "POST", f"bulk/{preview['id']}/undo", {"client_key": key()})) == (409, "action_not_allowed")
    taken_back = Notice.objects.get(person=here.annotator2, code="packages_taken_back")
    assert taken_back.params == {"package": "cap-pkg-0004", "count": 3, "comment": ""}


def test_revoking_many_and_undo_assigns_them_again(here):
    admin = signed_in(here.admin)
    assigned = finish(admin, prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"search": "3"}))
    assert counts(assigned) == {"done": 1}
    preview = prepare(admin, "revoke", {"comment": "换人"})
    assert counts(preview) == {"pending": 2, "refused": 4}
    done = finish(admin, preview)
    assert states() == [STARTED[0], *[FREE] * 5]
    for who, label in ((here.annotator, "cap-pkg-0002"), (here.annotator2, "cap-pkg-0003")):
        notice = Notice.objects.get(person=who, code="packages_taken_back")
        assert notice.params == {"package": label, "count": 1, "comment": "换人"}
    assert done["available_actions"] == ["bulk_undo"]
    undone = finish(admin, preview, "undo")
    assert counts(undone) == {"undone": 2, "refused": 4}
    assert states()[1:4] == [("assigned", "annotator"), ("assigned", "annotator2"), FREE]


def test_a_killed_worker_goes_on_and_does_nothing_twice(here, monkeypatch):
    monkeypatch.setattr(running, "BLOCK", 1)
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    send(admin, "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})
    job = Job.objects.latest("pk")
    ordinary, calls = packages.assign_package, []

    def killed(**arguments):
        calls.append(arguments["package_id"])
        ordinary(**arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(packages, "assign_package", killed)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert states()[2:] == [("assigned", "annotator2")] * 2 + [FREE] * 2
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert jobs.run(job.pk, services.run_bulk) == "done"
    assert states()[2:] == [("assigned", "annotator2")] * 4
    assert AuditEvent.objects.filter(action="package_assign").count() == 4
    assert calls == [*calls[:2], calls[2], calls[2], calls[4]]
    assert Notice.objects.filter(person=here.annotator2).count() == 1
    Job.objects.filter(pk=job.pk).update(state="queued")
    jobs.run(job.pk, services.run_bulk)
    assert AuditEvent.objects.filter(action="package_assign").count() == 4


def test_a_preview_of_more_than_an_hour_is_stale(here):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk})
    Bulk.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert told(send(admin, "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})) == (409, "bulk_stale")
    assert (Bulk.objects.get().state, Job.objects.filter(task=services.RUN_BULK).exists()) == ("prepared", False)
    Bulk.objects.update(created_at=timezone.now() - timedelta(minutes=59))
    assert counts(finish(admin, preview)) == {"done": 4, "refused": 2}


def test_a_repeated_request_starts_no_second_job(here):
    admin, same = signed_in(here.admin), {"client_key": key()}
    preview = prepare(admin, "assign", {"person": here.annotator2.pk})
    first = send(admin, "POST", f"bulk/{preview['id']}/apply", same).json()
    assert send(admin, "POST", f"bulk/{preview['id']}/apply", same).json() == first
    assert Job.objects.filter(task=services.RUN_BULK).count() == 1
    assert told(send(admin, "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})) == (
        409,
        "action_not_allowed",
    )


def test_permission_that_is_removed_before_and_during_the_work(here, monkeypatch):
    monkeypatch.setattr(running, "BLOCK", 2)
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    grants = RoleGrant.objects.filter(person=here.admin)
    grants.update(role="senior")
    apply = f"bulk/{preview['id']}/apply"
    assert told(send(admin, "POST", apply, {"client_key": key()})) == (403, "operation_not_allowed")
    grants.update(role="admin")
    send(admin, "POST", apply, {"client_key": key()})
    ordinary = packages.assign_package

    def then_removed(**arguments):
        ordinary(**arguments)
        grants.update(role="senior")

    monkeypatch.setattr(packages, "assign_package", then_removed)
    run()
    bulk = Bulk.objects.get()
    assert (bulk.state, bulk.error_code) == ("stopped", "operation_not_allowed")
    # The rest of the block was refused row by row.
    assert states()[2:] == [("assigned", "annotator2"), ("assigned", "annotator2"), FREE, FREE]
    grants.update(role="admin")
    monkeypatch.setattr(packages, "assign_package", ordinary)
    undone = finish(admin, preview, "undo")
    assert counts(undone) == {"undone": 2, "pending": 2}
    assert states()[2:] == [FREE] * 4


def test_an_undo_that_stopped_notifies_of_each_row_once(here, monkeypatch):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    assert preview["person"] == {"id": here.annotator2.pk, "name": here.annotator2.name}
    finish(admin, preview)
    ordinary = packages.revoke_assignment
    send(admin, "POST", f"bulk/{preview['id']}/undo", {"client_key": key()})
    monkeypatch.setattr(running, "BLOCK", 2)

    def then_removed(**arguments):
        ordinary(**arguments)
        if Package.objects.filter(state="available").count() == 2:
            RoleGrant.objects.filter(person=here.admin).update(role="senior")

    monkeypatch.setattr(packages, "revoke_assignment", then_removed)
    run()
    RoleGrant.objects.filter(person=here.admin).update(role="admin")
    monkeypatch.setattr(packages, "revoke_assignment", ordinary)
    assert counts(finish(admin, preview, "undo")) == {"undone": 4}
    back = Notice.objects.filter(person=here.annotator2, code="packages_taken_back").order_by("pk")
    assert [(notice.params["package"], notice.params["count"]) for notice in back] == [
        ("cap-pkg-0003", 2),
        ("cap-pkg-0005", 2),
    ]


def test_a_job_that_fails_for_good_stops(here, monkeypatch):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk})
    send(admin, "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})
    services.end_failed(Bulk.objects.get().job_id)
    bulk = Bulk.objects.get()
    assert (bulk.state, bulk.error_code) == ("stopped", "internal_error")
    run()
    assert states()[2:] == [FREE] * 4


def test_who_may_not_write_or_reviewed_it(here):
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.senior.pk})
    assert counts(preview) == {"refused": 6}
    codes = {reason["code"]: reason["count"] for reason in preview["reasons"]}
    assert codes == {"cannot_annotate": 4, "action_not_allowed": 1}
    assert [reason["count"] for reason in preview["reasons"]] == [4, 1, 1]
    Package.objects.filter(number=3).update(reviewer=here.annotator2)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    assert (counts(preview), preview["reasons"][0]["code"]) == ({"pending": 3, "refused": 1}, "own_work")
    body = {"action": "assign", "params": {"person": here.stranger.pk}, "filters": {}}
    assert told(send(admin, "POST", "benchmarks/cvlue/bulk", body)) == (404, "not_found")


def test_one_unapplied_preview_of_each_person_is_kept(here):
    admin = signed_in(here.admin)
    first = prepare(admin, "assign", {"person": here.annotator2.pk})
    second = prepare(admin, "revoke")
    assert list(Bulk.objects.values_list("pk", flat=True)) == [second["id"]]
    assert told(send(admin, "GET", f"bulk/{first['id']}")) == (404, "not_found")
    finish(admin, second)
    prepare(admin, "revoke")
    assert Bulk.objects.count() == 2


def test_who_may_not_do_it_to_one_may_not_do_it_to_many(here):
    body = {"action": "assign", "params": {"person": here.annotator2.pk}, "filters": {}}
    preview = prepare(signed_in(here.admin), "assign", {"person": here.annotator2.pk})
    for who in (here.curator, here.senior, here.annotator, here.owner):
        browser = signed_in(who)
        refusal = (403, "operation_not_allowed")
        assert told(send(browser, "POST", "benchmarks/cvlue/bulk", body)) == refusal
        assert told(send(browser, "GET", f"bulk/{preview['id']}")) == refusal
        assert told(send(browser, "POST", f"bulk/{preview['id']}/apply", {"client_key": key()})) == refusal
    assert list(Bulk.objects.values_list("pk", flat=True)) == [preview["id"]]


@pytest.mark.parametrize(
    "body",
    [
        {"action": "assign", "params": {"person": 1}},
        {"action": "assign", "params": {"person": 1}, "ids": [1], "filters": {}},
        {"action": "assign", "params": {}, "filters": {}},
        {"action": "assign", "params": {"person": 1, "x": 1}, "filters": {}},
        {"action": "assign", "params": {"person": 1}, "filters": {"category": "x"}},
        {"action": "assign", "params": {"person": 1}, "ids": []},
        {"action": "burn", "params": {}, "filters": {}},
    ],
)
def test_malformed(here, body):
    assert told(send(signed_in(here.admin), "POST", "benchmarks/cvlue/bulk", body)) == (400, "invalid_input")
    assert not Bulk.objects.exists()


def test_too_many(here, monkeypatch):
    monkeypatch.setattr("annotation.bulk.services.preparing.MOST_TARGETS", 5)
    body = {"action": "revoke", "filters": {}}
    answer = send(signed_in(here.admin), "POST", "benchmarks/cvlue/bulk", body)
    assert (told(answer), answer.json()["params"]) == ((409, "bulk_too_many"), {"maximum": 5})
