"""Previews of many rows are made by a job in blocks; those that were never applied are deleted."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.bulk import services
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.services import preparing
from annotation.packages import services as packages
from annotation.packages.models import Package
from curation.core import jobs
from curation.core.models import Job
from curation.people.models import RoleGrant
from tests.annotation.bulk.bulk import counts, finish, prepare, run
from tests.annotation.track import new_world, submitted_package
from tests.people import key, send, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    """Six packages of one item; the first was submitted."""
    made = new_world(pictures=6, size=1)
    submitted_package(made)
    return made


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(preparing, "PREPARED_AT_ONCE", 5)
    monkeypatch.setattr(preparing, "READ_AT_ONCE", 2)


def show(browser, bulk):
    return send(browser, "GET", f"bulk/{bulk['id']}").json()


def free():
    return Package.objects.filter(state="available").count()


def test_a_job_makes_the_preview_of_many_rows(here):
    admin = signed_in(here.admin)
    waiting = prepare(admin, "assign", {"person": here.annotator2.pk})
    assert (waiting["state"], waiting["rows"], counts(waiting)) == ("preparing", 6, {})
    assert waiting["available_actions"] == []
    apply = f"bulk/{waiting['id']}/apply"
    assert told(send(admin, "POST", apply, {"client_key": key()})) == (409, "action_not_allowed")
    assert run() == "done"
    preview = show(admin, waiting)
    assert (preview["state"], preview["rows"], counts(preview)) == ("prepared", 6, {"pending": 5, "refused": 1})
    assert (preview["available_actions"], preview["reasons"][0]["code"]) == (["bulk_apply"], "action_not_allowed")
    assert (free(), Bulk.objects.get().chosen) == (5, [])
    assert counts(finish(admin, preview)) == {"done": 5, "refused": 1}
    assert free() == 0


def test_a_request_makes_the_preview_of_few(here):
    preview = prepare(signed_in(here.admin), "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    assert (preview["state"], preview["rows"], counts(preview)) == ("prepared", 5, {"pending": 5})
    assert not Job.objects.filter(task=services.RUN_BULK).exists()


def test_rows_that_match_later_are_not_in_it(here, monkeypatch):
    last = Package.objects.order_by("-number").first()
    Package.objects.filter(pk=last.pk).update(kind="vqa")
    monkeypatch.setattr(preparing, "PREPARED_AT_ONCE", 4)
    admin = signed_in(here.admin)
    preview = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"kind": "captions"})
    Package.objects.filter(pk=last.pk).update(kind="captions")
    run()
    assert last.pk not in BulkTarget.objects.values_list("target_id", flat=True)
    assert counts(finish(admin, show(admin, preview))) == {"done": 4, "refused": 1}
    assert free() == 1


def test_a_killed_worker_continues_and_lists_no_row_twice(here, monkeypatch):
    admin = signed_in(here.admin)
    waiting = prepare(admin, "assign", {"person": here.annotator2.pk})
    ordinary, calls = packages.assignment_refusals, []

    def killed(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return ordinary(*arguments)

    monkeypatch.setattr(packages, "assignment_refusals", killed)
    with pytest.raises(KeyboardInterrupt):
        run()
    half = show(admin, waiting)
    assert (half["state"], half["rows"], counts(half)) == ("preparing", 6, {"pending": 1, "refused": 1})
    job = Job.objects.latest("pk")
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert jobs.run(job.pk, services.run_bulk) == "done"
    assert counts(show(admin, waiting)) == {"pending": 5, "refused": 1}
    assert BulkTarget.objects.count() == 6


def test_a_wrong_parameter_is_refused_at_once(here):
    body = {"action": "assign", "params": {"person": here.stranger.pk}, "filters": {}}
    assert told(send(signed_in(here.admin), "POST", "benchmarks/cvlue/bulk", body)) == (404, "not_found")
    assert not Bulk.objects.exists()


def test_permission_that_is_removed_meanwhile(here):
    admin = signed_in(here.admin)
    waiting = prepare(admin, "assign", {"person": here.annotator2.pk})
    RoleGrant.objects.filter(person=here.admin).update(role="senior")
    run()
    bulk = Bulk.objects.get()
    assert (bulk.state, bulk.error_code, bulk.chosen) == ("failed", "operation_not_allowed", [])
    assert bulk.targets.count() == 0
    RoleGrant.objects.filter(person=here.admin).update(role="admin")
    failed = show(admin, waiting)
    assert (failed["error_code"], failed["available_actions"]) == ("operation_not_allowed", [])


def test_a_job_that_fails_for_good(here):
    prepare(signed_in(here.admin), "assign", {"person": here.annotator2.pk})
    services.end_failed(Bulk.objects.get().job_id)
    bulk = Bulk.objects.get()
    assert (bulk.state, bulk.error_code) == ("failed", "internal_error")
    run()
    assert (Bulk.objects.get().state, BulkTarget.objects.count()) == ("failed", 0)


def test_a_deleted_preview_stops_its_job(here):
    admin = signed_in(here.admin)
    prepare(admin, "assign", {"person": here.annotator2.pk})
    job = Job.objects.latest("pk")
    newer = prepare(admin, "revoke", filters={"state": "available"})
    assert jobs.run(job.pk, services.run_bulk) == "done"
    assert set(BulkTarget.objects.values_list("bulk_id", flat=True)) == {newer["id"]}


def test_old_previews_of_everyone_are_deleted_and_nothing_else(here):
    admin, owner = signed_in(here.admin), signed_in(here.curator)
    applied = prepare(admin, "assign", {"person": here.annotator2.pk}, filters={"state": "available"})
    finish(admin, applied)
    prepare(owner, "exclude", {"reason": "x"}, filters={"search": "cap-1"})
    waiting = prepare(admin, "revoke")
    Bulk.objects.update(created_at=timezone.now() - timedelta(minutes=59))
    assert (services.sweep_previews(), Bulk.objects.count()) == (0, 3)
    Bulk.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert services.sweep_previews() == 2
    assert list(Bulk.objects.values_list("pk", "state")) == [(applied["id"], "done")]
    assert set(BulkTarget.objects.values_list("bulk_id", flat=True)) == {applied["id"]}
    assert told(send(admin, "GET", f"bulk/{waiting['id']}")) == (404, "not_found")
