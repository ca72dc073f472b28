"""A draft of many items: a job checks it, and its page shows what the last check found."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.releases import queries, services
from annotation.releases.errors import GatesFailed, ReleaseBusy
from annotation.releases.models import Release, ReleaseOutlook
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core import jobs
from curation.core.models import AuditEvent, Job
from curation.images.models import Image
from tests.annotation.releases.content import accepted, filled, frozen, protocol, team
from tests.people import signed_in
from tests.shared import shared

pytestmark = pytest.mark.django_db

OF_CONTENT = ("gates", "gate_counts", "warnings", "by_kind", "splits", "images", "items")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def large(monkeypatch):
    """From here on more than four items are many."""
    for module in ("outlooks", "releases"):
        monkeypatch.setattr(f"annotation.releases.queries.{module}.INLINE", 4)


@shared
def here():
    return team()


@pytest.fixture
def release(here):
    return services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kinds=["captions"], seed=7, client_key=uuid.uuid4()
    )


def do(here, action, release, **values):
    command = getattr(services, f"{action}_release")
    return command(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4(), **values)


def page(here, release):
    return queries.release_detail(here.admin, release.pk)


def listed(here):
    [row] = queries.release_page(here.admin, "cvlue", page_size=10)["results"]
    return row


def content(shown):
    return {name: shown[name] for name in OF_CONTENT}


def checked(here, release):
    """Check a draft of many items; return the job's state."""
    do(here, "check", release)
    return jobs.run(Job.objects.latest("pk").pk, services.check)


def test_a_job_marks_it_as_checked_and_its_page_shows_the_same_as_that_of_few_items(here, release, large, monkeypatch):
    filled(here, 5)
    with monkeypatch.context() as of_few:
        of_few.setattr("annotation.releases.queries.releases.INLINE", 5)
        few = content(page(here, release))
    before = page(here, release)
    assert (before["is_computed"], before["as_of"], before["images"], before["items"]) == (False, None, None, 5)
    assert (before["gates"], before["by_kind"][0]["left_out"]) == ([], [])
    assert {(split["images"], split["items"]) for split in before["splits"]} == {(0, 0)}
    assert (listed(here)["images"], listed(here)["items"]) == (None, 5)

    do(here, "check", release)
    job = Job.objects.get()
    assert (job.task, job.args, job.actor_id) == ("annotation.check_release", {"release_id": release.pk}, here.admin.pk)
    asked = page(here, release)
    assert (asked["state"], asked["checking"], asked["freezing"]) == ("draft", True, False)
    assert asked["available_actions"] == []
    do(here, "check", release)  # pressed again while a worker is at it
    assert Job.objects.count() == 1

    assert jobs.run(job.pk, services.check) == "done"
    after = page(here, release)
    assert (after["state"], after["checking"], after["is_computed"]) == ("checked", False, True)
    assert after["checked_at"] >= after["as_of"]
    assert content(after) == few
    assert (listed(here)["images"], listed(here)["items"]) == (5, 5)
    events = AuditEvent.objects.filter(target_type="release", action="release_check").order_by("pk")
    assert list(events.values_list("state_from", "state_to", "data")) == [
        ("", "", {"job": job.pk}),
        ("draft", "checked", {}),
    ]


def test_failed_gates_are_shown_until_the_next_check(here, release, large):
    items = filled(here, 5)
    Image.objects.filter(pk=items[1].image_id).update(pii_clear_by=None)
    assert checked(here, release) == "done"
    shown = page(here, release)
    assert (shown["state"], shown["gate_counts"]) == ("draft", [{"code": "personal_information", "n": 1}])
    assert [gate["label"] for gate in shown["gates"]] == ["img-0002"]
    assert shown["available_actions"] == ["release_update", "release_check", "release_withdraw"]
    Image.objects.filter(pk=items[1].image_id).update(pii_clear_by=here.curator)
    assert page(here, release)["gates"] == shown["gates"]
    assert checked(here, release) == "done"
    assert (page(here, release)["state"], page(here, release)["gates"]) == ("checked", [])


@pytest.mark.parametrize(("action", "values"), [("update", {"seed": 8}), ("withdraw", {"reason": "错版"})])
def test_nothing_changes_it_while_a_worker_checks_it(here, release, large, action, values):
    filled(here, 5)
    do(here, "check", release)
    before = Release.objects.values().get()
    with pytest.raises(ReleaseBusy) as refused:
        do(here, action, release, **values)
    assert (refused.value.params, Release.objects.values().get()) == ({"label": "captions-v1"}, before)


def test_other_settings_need_another_check(here, release, large):
    filled(here, 5)
    checked(here, release)
    do(here, "reopen", release)
    assert page(here, release)["is_computed"]
    do(here, "update", release, seed=8)
    assert not ReleaseOutlook.objects.exists()
    assert not page(here, release)["is_computed"]


def test_a_protocol_adopted_meanwhile_is_the_one_that_is_checked(here, release, large, monkeypatch):
    filled(here, 5)
    do(here, "check", release)
    computed, outlook = [], queries.outlook

    def adopting(release):
        computed.append(release.protocol.version)
        if len(computed) == 1:
            values = {"version": 2, "name": "v2", "content": protocol(splits={"train": 50, "valid": 20, "test": 30})}
            values |= {"source_sha256": "0" * 64}
            Benchmark.objects.update(protocol=ProtocolVersion.objects.create(benchmark=here.benchmark, **values))
        return outlook(release)

    monkeypatch.setattr(queries, "outlook", adopting)
    assert jobs.run(Job.objects.get().pk, services.check) == "done"
    release.refresh_from_db()
    assert (computed, release.state, release.protocol.version) == ([1, 2], "checked", 2)


def test_a_job_that_comes_late_changes_nothing(here, release, large):
    filled(here, 5)
    do(here, "check", release)
    Release.objects.update(state="withdrawn", withdrawn_at=release.created_at, withdrawn_reason="错版")
    assert jobs.run(Job.objects.get().pk, services.check) == "done"
    assert (Release.objects.get().state, ReleaseOutlook.objects.exists()) == ("withdrawn", False)


def test_a_worker_finds_what_failed_since_the_check_and_its_page_shows_it(here, release, large):
    items = filled(here, 5)
    checked(here, release)
    Image.objects.filter(pk=items[1].image_id).update(pii_clear_by=None)
    do(here, "freeze", release)  # no gate is computed in the request
    assert jobs.run(Job.objects.latest("pk").pk, services.freeze) == "failed"
    shown = page(here, release)
    assert (shown["state"], shown["job"]["error_code"]) == ("checked", GatesFailed.code)
    assert [gate["label"] for gate in shown["gates"]] == ["img-0002"]


def test_what_a_frozen_release_holds_is_stored_and_equals_its_entries(here):
    filled(here, 10)
    release = frozen(here)
    stored, counted = queries.split_counts(release), queries.count_splits(release)
    assert stored == counted
    held = {name: (n.images, n.items) for name, n in stored.items()}
    assert held == {"train": (6, 6), "valid": (1, 1), "test": (3, 3)}
    assert sum(n.bytes for n in stored.values()) > 0
    with CaptureQueriesContext(connection) as seen:
        row = listed(here)
    assert (row["images"], row["items"]) == (10, 10)
    assert not [q["sql"] for q in seen if "annotation_releaseentry" in q["sql"]]


def test_one_that_an_older_version_froze_is_counted(here):
    filled(here, 10)
    release = frozen(here)
    expected = content(page(here, release))
    with connection.cursor() as cursor:
        cursor.execute("set local session_replication_role = replica")
        cursor.execute("update annotation_release set split_counts = null")
        cursor.execute("set local session_replication_role = origin")
    assert content(page(here, release)) == expected
    assert (listed(here)["images"], listed(here)["items"]) == (10, 10)


def test_pages_of_many_items_read_none_of_them(here, release, large):
    filled(here, 5)
    admin = signed_in(here.admin)
    addresses = ["/api/v1/benchmarks/cvlue/releases", f"/api/v1/releases/{release.pk}"]
    seen = []
    for more in (range(6, 9), range(9, 12)):
        for address in addresses:
            admin.get(address)
            with CaptureQueriesContext(connection) as captured:
                assert admin.get(address).status_code == 200
            seen.append(len(captured))
        for number in more:
            accepted(here, number)
        checked(here, release)
        do(here, "reopen", release)
    # session; then benchmark, count, page · release, its kinds, tallies, outlook ·
    # both, its job, all three again, tallies, outlook
    assert seen == [4, 5, 4, 9]
