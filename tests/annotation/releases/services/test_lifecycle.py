"""A release's life: drafted, changed, checked, reopened, frozen, published, withdrawn."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.releases import queries, services
from annotation.releases.errors import (
    GatesFailed,
    ReleaseBusy,
    ReleaseKindNotInProtocol,
    ReleaseNotWritten,
    ReleaseWithdrawn,
)
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent, Job
from curation.core.registry import UnknownEntry
from curation.images.models import Image
from tests.annotation.releases.content import accepted, filled, frozen, team
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@shared
def here():
    return team()


def draft(here, *, seed=7, kind="captions", client_key=None, actor=None, **settings):
    return services.create_release(
        actor=actor or here.admin,
        benchmark_slug=here.benchmark.slug,
        kinds=[kind],
        seed=seed,
        client_key=client_key or uuid.uuid4(),
        **settings,
    )


def do(here, action, release, client_key=None, actor=None, **values):
    """Carry a command out on a release; return its row as it is afterwards."""
    command = getattr(services, f"{action}_release")
    command(actor=actor or here.admin, release_id=release.pk, client_key=client_key or uuid.uuid4(), **values)
    return Release.objects.get(pk=release.pk)


def checked(here):
    return do(here, "check", draft(here))


def everything():
    tables = (Release, ReleaseImage, ReleaseEntry, ReleaseFile, Job, AuditEvent)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def refused(error, here, action, release, **values):
    """The refusal of a command that changes nothing."""
    before = everything()
    with pytest.raises(error) as raised:
        do(here, action, release, **values)
    assert everything() == before
    return raised.value.params


def steps(release):
    events = AuditEvent.objects.filter(target_type="release", target_id=release.pk).order_by("pk")
    return list(events.values_list("action", "state_from", "state_to"))


# --- drafts


def test_drafts_are_numbered_one_after_another(here):
    made = [draft(here), draft(here)]
    assert [(r.number, r.label, r.state, r.seed, r.splits_from, r.digest) for r in made] == [
        (1, "captions-v1", "draft", 7, "earlier", ""),
        (2, "captions-v2", "draft", 7, "earlier", ""),
    ]
    event = AuditEvent.objects.get(target_id=made[1].pk, target_type="release")
    assert (event.action, event.state_to, event.data) == (
        "release_create",
        "draft",
        {"number": 2, "kinds": ["captions"], "seed": 7, "splits_from": "earlier"},
    )


def test_versions_count_the_releases_of_a_kind(here):
    content = here.benchmark.protocol.content
    kinds = dict.fromkeys(("captions", "vqa"), content["kinds"]["captions"])
    here = team(slug="two", prefix="t", content=content | {"kinds": kinds})
    labels = [draft(here, kind=kind).label for kind in ("captions", "vqa", "captions", "vqa")]
    assert labels == ["captions-v1", "vqa-v1", "captions-v2", "vqa-v2"]


def test_a_release_from_before_labels_were_stored_keeps_its_name_and_the_next_is_above_it(here):
    old = Release.objects.create(
        benchmark=here.benchmark, number=4, kind="captions", protocol=here.benchmark.protocol, seed=1
    )
    assert Release.objects.get(pk=old.pk).label == "captions-v4"
    made = draft(here)
    assert (made.number, made.label) == (5, "captions-v5")
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=made.pk).update(label="captions-v4")


def test_without_a_seed_one_is_drawn_and_kept(here):
    seed = draft(here, seed=None).seed
    assert 0 <= seed < 1_000_000_000
    assert Release.objects.get().seed == seed


def test_a_repeated_request_for_a_draft_has_one_row(here):
    key = uuid.uuid4()
    first, again = draft(here, client_key=key), draft(here, client_key=key)
    assert first.pk == again.pk
    assert draft(here, client_key=key, seed=None).pk == first.pk
    before = everything()
    with pytest.raises(ClientKeyReused):
        draft(here, client_key=key, seed=8)
    assert everything() == before


@pytest.mark.parametrize("kind", ["boxes", "nonsense"])
def test_a_kind_that_the_protocol_does_not_use_is_refused(here, kind):
    with pytest.raises(ReleaseKindNotInProtocol) as refusal:
        draft(here, kind=kind)
    assert refusal.value.params == {"kind": kind}
    assert not Release.objects.exists()


def test_a_draft_may_be_changed_and_nothing_else(here):
    filled(here, 3)
    release, key = draft(here), uuid.uuid4()
    values = {"seed": 9, "splits_from": "anew", "notes": "第一版，只有三张"}
    changed = do(here, "update", release, client_key=key, **values)
    assert {name: getattr(changed, name) for name in values} == values
    event = AuditEvent.objects.get(action="release_update")
    # What people wrote is no matter of the log.
    assert event.data == {"seed": 9, "splits_from": "anew", "changed": ["notes", "seed", "splits_from"]}
    before = everything()
    do(here, "update", release, client_key=key, **values)
    assert everything() == before
    assert do(here, "update", release, notes="").notes == ""
    do(here, "check", release)
    assert refused(ActionNotAllowed, here, "update", release, seed=1) == {"action": "update", "state": "checked"}


# --- checking


def test_what_passes_the_gates_is_checked_and_may_be_reopened(here):
    filled(here, 3)
    release = checked(here)
    assert (release.state, release.checked_at is None) == ("checked", False)
    assert refused(ActionNotAllowed, here, "check", release) == {"action": "check", "state": "checked"}
    again = do(here, "reopen", release)
    assert (again.state, again.checked_at) == ("draft", None)
    assert steps(release)[1:] == [("release_check", "draft", "checked"), ("release_reopen", "checked", "draft")]
    assert not Job.objects.exists()


def test_failed_gates_are_named_and_change_nothing(here):
    accepted(here, 1, pii_clear_by=None)
    accepted(here, 2, licence="unclear")
    accepted(here, 3, state="refused")
    accepted(here, 4, clean=False)
    images = dict(Image.objects.values_list("number", "pk"))
    assert refused(GatesFailed, here, "check", draft(here)) == {
        "count": 4,
        "gates": [
            {
                "code": code,
                "params": params | {"total": 1},
                "label": f"img-{number:04d}",
                "link": f"/b/cvlue/pictures/{images[number]}",
            }
            for code, number, params in [
                ("image_file_missing", 4, {}),
                ("image_not_accepted", 3, {"state": "refused"}),
                ("personal_information", 1, {}),
                ("licence", 2, {"licence": "unclear", "allowed": ["CC-BY-4.0", "own-work"]}),
            ]
        ],
    }


def test_nothing_accepted_is_a_gate_of_its_own(here):
    assert refused(GatesFailed, here, "check", draft(here))["gates"] == [
        {
            "code": "nothing_accepted",
            "params": {"kind": "captions", "total": 1},
            "label": "captions",
            "link": "/b/cvlue/packages",
        }
    ]


def test_a_format_that_does_not_exist_is_refused_before_anything_is_written(db):
    here = team(slug="other", prefix="x", exporters=["jsonl", "stone_tablets"])
    filled(here, 3)
    with pytest.raises(UnknownEntry) as refusal:
        checked(here)
    assert refusal.value.params["name"] == "stone_tablets"
    assert Release.objects.get().state == "draft"


# --- requesting a freeze


def test_requesting_a_freeze_enqueues_a_job(here):
    filled(here, 3)
    release, key = checked(here), uuid.uuid4()
    requested = do(here, "freeze", release, client_key=key)
    job = Job.objects.get()
    assert (requested.state, requested.frozen_at, requested.job_id) == ("checked", None, job.pk)
    assert (job.task, job.state, job.args, job.benchmark_id, job.actor_id) == (
        "annotation.freeze_release",
        "queued",
        {"release_id": release.pk},
        here.benchmark.pk,
        here.admin.pk,
    )
    before = everything()
    do(here, "freeze", release, client_key=key)
    do(here, "freeze", release)  # pressed again while a worker is at it
    assert everything() == before


@pytest.mark.parametrize(("action", "values"), [("reopen", {}), ("withdraw", {"reason": "错版"})])
def test_nothing_changes_a_release_that_is_being_frozen(here, action, values):
    filled(here, 3)
    release = checked(here)
    do(here, "freeze", release)
    assert refused(ReleaseBusy, here, action, release, **values) == {"label": "captions-v1"}


def test_failures_since_the_check_are_reported_at_once(here):
    items = filled(here, 3)
    release = checked(here)
    Image.objects.filter(pk=items[1].image_id).update(pii_clear_by=None)
    gates = refused(GatesFailed, here, "freeze", release)["gates"]
    assert [(g["code"], g["label"]) for g in gates] == [("personal_information", "img-0002")]


def test_a_draft_is_not_frozen_unchecked(here):
    filled(here, 3)
    assert refused(ActionNotAllowed, here, "freeze", draft(here)) == {"action": "freeze", "state": "draft"}


def test_a_key_of_another_command_is_refused(here):
    filled(here, 3)
    key = uuid.uuid4()
    release = draft(here)
    do(here, "check", release, client_key=key)
    refused(ClientKeyReused, here, "freeze", release, client_key=key)


# --- files, publishing, withdrawing


def test_it_is_published_once_every_file_is_there(here):
    filled(here, 6)
    release = frozen(here)
    owed = queries.missing_files(release)
    assert [name for name in owed if name.endswith(".jsonl")][:3] == [
        "captions-train.jsonl",
        "captions-valid.jsonl",
        "captions-test.jsonl",
    ]
    assert owed[-2:] == ["checksums.txt", "archive.index"]
    assert refused(ReleaseNotWritten, here, "publish", release) == {"missing": owed}
    Job.objects.filter(pk=release.job_id).update(state="failed", error_code="release_file_differs")
    again = do(here, "write", release)
    assert Job.objects.get(pk=again.job_id).state == "queued"
    assert do(here, "write", release).job_id == again.job_id  # an open one goes on
    assert jobs.run(again.job_id, services.write_files) == "done"
    key = uuid.uuid4()
    published = do(here, "publish", release, client_key=key)
    assert (published.state, published.published_at is None) == ("published", False)
    before = everything()
    do(here, "publish", release, client_key=key)
    assert everything() == before
    refused(ActionNotAllowed, here, "publish", release)


def test_only_what_is_frozen_has_files_to_write(here):
    filled(here, 3)
    release = checked(here)
    assert refused(ActionNotAllowed, here, "write", release) == {"action": "write", "state": "checked"}


def test_a_withdrawn_release_keeps_its_rows_and_offers_no_files(here):
    filled(here, 6)
    release = frozen(here)
    jobs.run(release.job_id, services.write_files)
    services.file_to_send(actor=here.admin, release_id=release.pk, name="README.md")
    held = everything()[1:4]
    key = uuid.uuid4()
    gone = do(here, "withdraw", release, client_key=key, reason="一张图片的授权有误")
    assert (gone.state, gone.withdrawn_reason, gone.withdrawn_at is None) == ("withdrawn", "一张图片的授权有误", False)
    assert everything()[1:4] == held
    assert steps(release)[-1] == ("release_withdraw", "frozen", "withdrawn")
    before = everything()
    do(here, "withdraw", release, client_key=key, reason="一张图片的授权有误")
    with pytest.raises(ReleaseWithdrawn):
        services.file_to_send(actor=here.admin, release_id=release.pk, name="README.md")
    assert everything() == before
    refused(ActionNotAllowed, here, "withdraw", release, reason="再来一次")
    refused(ActionNotAllowed, here, "write", release)


def test_drafts_may_be_withdrawn_too(here):
    release = do(here, "withdraw", draft(here), reason="开错了")
    assert (release.state, release.frozen_at) == ("withdrawn", None)


COMMANDS = ("update", "check", "reopen", "freeze", "write", "publish", "withdraw")


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("owner", OperationNotAllowed),
        ("curator", OperationNotAllowed),
        ("annotator", OperationNotAllowed),
        ("stranger", NotFound),
    ],
)
def test_only_admins_lead_a_release(here, who, refusal):
    filled(here, 3)
    release = draft(here)
    before = everything()
    with pytest.raises(refusal):
        draft(here, actor=getattr(here, who))
    for action in COMMANDS:
        with pytest.raises(refusal):
            do(here, action, release, actor=getattr(here, who), **({"reason": "不"} if action == "withdraw" else {}))
    assert everything() == before


def test_the_number_of_statements_of_a_check_does_not_grow_with_the_items(here):
    filled(here, 4)
    checked(here)  # whoever asks first also reads the person's roles and the protocol
    with CaptureQueriesContext(connection) as few:
        checked(here)
    for number in range(5, 25):
        accepted(here, number)
    with CaptureQueriesContext(connection) as many:
        checked(here)
    assert len(many) == len(few)
