"""Freezing: what goes in, what keeps it out, and that nothing moves afterwards."""

import hashlib
import json
import uuid
from collections import Counter

import pgtrigger
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Item
from annotation.releases import rules, services
from annotation.releases.errors import (
    GatesFailed,
    ReleaseContentDiffers,
    ReleaseFileDiffers,
    ReleaseFileGone,
    ReleaseHasNoProtocol,
    ReleasePictureDamaged,
)
from annotation.releases.exporters import registry
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseImage
from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent, Job
from curation.core.registry import UnknownEntry
from curation.images.models import Image, NearPair
from tests.annotation.releases.content import accept, accepted, captions, filled, picture, store, team

pytestmark = pytest.mark.django_db
FILES = [
    "README.md",
    "captions-test.jsonl",
    "captions-test.parquet",
    "captions-train.jsonl",
    "captions-train.parquet",
    "captions-valid.jsonl",
    "captions-valid.parquet",
    "checksums.txt",
    "licences.csv",
]


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def here(db):
    return team()


def draft(here, *, seed=7, kind="captions", client_key=None, actor=None):
    return services.create_release(
        actor=actor or here.admin,
        benchmark_slug=here.benchmark.slug,
        kind=kind,
        seed=seed,
        client_key=client_key or uuid.uuid4(),
    )


def freeze(here, release, client_key=None, actor=None):
    return services.freeze_release(
        actor=actor or here.admin, release_id=release.pk, client_key=client_key or uuid.uuid4()
    )


def frozen(here, seed=7):
    return freeze(here, draft(here, seed=seed))


def write(release):
    """Run the job that a worker would run; its state."""
    return jobs.run(release.job_id, services.write_files)


def everything():
    tables = (Release, ReleaseImage, ReleaseEntry, ReleaseFile, Job, AuditEvent)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def sums(release):
    return dict(ReleaseFile.objects.filter(release=release).values_list("name", "sha256"))


# --- drafts


def test_drafts_are_numbered_one_after_another(here):
    made = [draft(here), draft(here)]
    assert [(r.number, r.label, r.state, r.seed, r.digest) for r in made] == [
        (1, "captions-v1", "draft", 7, ""),
        (2, "captions-v2", "draft", 7, ""),
    ]
    event = AuditEvent.objects.get(target_id=made[1].pk, target_type="release")
    assert (event.action, event.state_to, event.data) == (
        "release_create",
        "draft",
        {"number": 2, "kind": "captions", "seed": 7},
    )


def test_without_a_seed_one_is_drawn_and_kept(here):
    seed = draft(here, seed=None).seed
    assert 0 <= seed < 1_000_000_000
    assert Release.objects.get().seed == seed


def test_a_repeated_request_for_a_draft_has_one_row(here):
    key = uuid.uuid4()
    first, again = draft(here, client_key=key), draft(here, client_key=key)
    assert first.pk == again.pk
    unnamed = draft(here, client_key=key, seed=None)
    assert unnamed.pk == first.pk
    before = everything()
    with pytest.raises(ClientKeyReused):
        draft(here, client_key=key, seed=8)
    assert everything() == before


@pytest.mark.parametrize("kind", ["boxes", "nonsense"])
def test_a_kind_that_the_protocol_does_not_use_is_refused(here, kind):
    with pytest.raises(ReleaseHasNoProtocol) as refused:
        draft(here, kind=kind)
    assert refused.value.params == {"kind": kind}
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("owner", OperationNotAllowed),
        ("curator", OperationNotAllowed),
        ("annotator", OperationNotAllowed),
        ("stranger", NotFound),
    ],
)
def test_only_admins_draft_and_freeze(here, who, refusal):
    filled(here, 3)
    release = draft(here)
    before = everything()
    with pytest.raises(refusal):
        draft(here, actor=getattr(here, who))
    with pytest.raises(refusal):
        freeze(here, release, actor=getattr(here, who))
    assert everything() == before


# --- freezing


def test_a_frozen_release_holds_every_accepted_revision_once(here):
    items = filled(here, 20)
    Item.objects.create(
        benchmark=here.benchmark, kind="captions", image=picture(here, 21), number=21, state="made", revision_no=0
    )
    newest = AuditEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    release = draft(here)
    release = freeze(here, release)
    stored = Release.objects.get(pk=release.pk)
    assert stored.state == "frozen"
    assert stored.frozen_at is not None
    assert newest < stored.event_id < AuditEvent.objects.get(action="release_freeze").pk
    entries = list(ReleaseEntry.objects.filter(release=release).order_by("ordinal"))
    assert {e.item_id for e in entries} == {i.pk for i in items}
    assert {e.revision_no for e in entries} == {2}
    assert [e.ordinal for e in entries] == list(range(1, 21))
    assert [e.split for e in entries] == ["train"] * 12 + ["valid"] * 2 + ["test"] * 6
    for split in ("train", "valid", "test"):
        numbers = [e.record["id"] for e in entries if e.split == split]
        assert numbers == sorted(numbers)
    drawn = rules.draw_splits(
        {i.image.number: i.image.category.slug if i.image.category else "" for i in items},
        {"train": 60, "valid": 10, "test": 30},
        7,
    )
    assert {e.record["id"]: e.split for e in entries} == drawn
    assert dict(ReleaseImage.objects.values_list("image__number", "split")) == drawn
    assert stored.digest == hashlib.sha256(b"".join(rules.canonical(e.record) for e in entries)).hexdigest()


def test_freezing_leaves_a_job_and_an_audit_entry(here):
    filled(here, 5)
    release = frozen(here)
    job = Job.objects.get(pk=release.job_id)
    assert (job.task, job.state, job.args, job.benchmark_id, job.actor_id) == (
        "annotation.write_release_files",
        "queued",
        {"release_id": release.pk},
        here.benchmark.pk,
        here.admin.pk,
    )
    event = AuditEvent.objects.get(action="release_freeze")
    assert (event.state_from, event.state_to, event.target_id) == ("draft", "frozen", release.pk)
    assert event.data == {"images": 5, "items": 5, "digest": release.digest}


def test_several_items_of_a_picture_share_its_split_and_its_licence_row(here, media):
    filled(here, 7)
    for number in range(1, 8):
        accept(here, Image.objects.get(number=number), 100 + number, slot=1)
    release = frozen(here)
    entries = list(ReleaseEntry.objects.filter(release=release).order_by("ordinal"))
    assert [e.record["item"][-1] for e in entries[::2]] == [e.record["item"][-1] for e in entries[1::2]]
    assert Counter(e.split for e in entries) == {"train": 8, "valid": 2, "test": 4}
    write(release)
    assert (media / "releases" / str(release.pk) / "licences.csv").read_text().count("\n") == 8


def test_a_repeated_freeze_answers_as_the_first_and_another_key_is_refused(here):
    filled(here, 5)
    release, key = draft(here), uuid.uuid4()
    first = freeze(here, release, client_key=key)
    before = everything()
    assert freeze(here, release, client_key=key).digest == first.digest
    with pytest.raises(ActionNotAllowed):
        freeze(here, release)
    with pytest.raises(ClientKeyReused):
        freeze(here, draft(here), client_key=key)
    assert everything()[1:5] == before[1:5]


def test_failed_gates_are_named_and_change_nothing(here):
    accepted(here, 1, pii_clear_by=None)
    accepted(here, 2, licence="unclear")
    accepted(here, 3, state="refused")
    accepted(here, 4, clean=False)
    release = draft(here)
    before = everything()
    with pytest.raises(GatesFailed) as refused:
        freeze(here, release)
    images = dict(Image.objects.values_list("number", "pk"))
    assert refused.value.params == {
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
    assert everything() == before


def test_nothing_accepted_is_a_gate_of_its_own(here):
    release = draft(here)
    with pytest.raises(GatesFailed) as refused:
        freeze(here, release)
    assert refused.value.params["gates"] == [
        {
            "code": "nothing_accepted",
            "params": {"kind": "captions", "total": 1},
            "label": "captions",
            "link": "/b/cvlue/packages",
        }
    ]


def test_near_duplicates_in_two_splits_keep_it_from_being_frozen(here):
    images = [accepted(here, number, category=None).image for number in range(1, 11)]
    NearPair.objects.bulk_create(NearPair(image=a, other=b, distance=2) for a in images for b in images if a != b)
    with pytest.raises(GatesFailed) as refused:
        frozen(here)
    # 6 in train, 1 in valid, 3 in test: 6·1 + 6·3 + 1·3 pairs lie across
    assert {g["code"] for g in refused.value.params["gates"]} == {"near_duplicate_across_splits"}
    assert refused.value.params["count"] == 27
    assert refused.value.params["gates"][0]["params"].keys() == {"other", "distance", "splits", "total"}


def test_a_format_that_does_not_exist_is_refused_before_anything_is_written(db):
    here = team(slug="other", prefix="x", exporters=["jsonl", "croissant"])
    filled(here, 3)
    release = draft(here)
    before = everything()
    with pytest.raises(UnknownEntry) as refused:
        freeze(here, release)
    assert refused.value.params["name"] == "croissant"
    assert everything() == before


def test_another_benchmarks_work_stays_out(here):
    filled(here, 3)
    other = team(slug="other", prefix="x")
    accepted(other, 1)
    release = frozen(other)
    assert ReleaseEntry.objects.get(release=release).item.benchmark_id == other.benchmark.pk


def test_the_number_of_statements_does_not_grow_with_the_items(here):
    filled(here, 4)
    frozen(here)  # whoever asks first also reads the person's roles and the protocol
    with CaptureQueriesContext(connection) as few:
        frozen(here)
    for number in range(5, 25):
        accepted(here, number)
    with CaptureQueriesContext(connection) as many:
        frozen(here)
    assert len(many) == len(few)


# --- what the database refuses


def run(sql, *params):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


@pytest.mark.parametrize("table", ["annotation_releaseentry", "annotation_releaseimage"])
@pytest.mark.parametrize("change", ["update {} set split = 'test'", "delete from {}"])
def test_frozen_rows_refuse_change_and_removal(here, table, change):
    filled(here, 4)
    frozen(here)
    before = everything()
    with pytest.raises(DatabaseError, match="append-only"):
        run(change.format(table))
    assert everything() == before


def test_frozen_releases_take_nothing_in(here):
    filled(here, 4)
    release = frozen(here)
    image = picture(here, 50)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run(
            "insert into annotation_releaseimage (release_id, image_id, split) values (%s, %s, 'test')",
            release.pk,
            image.pk,
        )
    entry = ReleaseEntry.objects.filter(release=release).values().first()
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"), transaction.atomic():
        ReleaseEntry.objects.create(**(entry | {"item_id": accept(here, image, 50).pk, "ordinal": 9}))


@pytest.mark.parametrize(
    "change",
    ["seed = seed + 1", "digest = 'other'", "state = 'draft'", "number = 9", "event_id = 1", "frozen_at = now()"],
)
def test_what_names_a_frozen_release_stays(here, change):
    filled(here, 4)
    release = frozen(here)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run(f"update annotation_release set {change} where id = %s", release.pk)
    with pytest.raises(DatabaseError, match=f"release {release.pk} is frozen"):
        run("delete from annotation_release where id = %s", release.pk)
    run("update annotation_release set state = 'withdrawn' where id = %s", release.pk)


def test_the_database_refuses_a_picture_in_two_splits(here):
    items = filled(here, 2)
    release = draft(here)
    ReleaseImage.objects.create(release=release, image=items[0].image, split="train")
    with pytest.raises(IntegrityError), transaction.atomic():
        ReleaseImage.objects.create(release=release, image=items[0].image, split="test")
    rendition = items[0].image.renditions.get()
    entry = ReleaseEntry(
        release=release,
        item=items[0],
        revision_no=2,
        image=items[0].image,
        rendition=rendition,
        split="test",
        ordinal=1,
    )
    with pytest.raises(IntegrityError, match="release_entry_in_split"), transaction.atomic():
        entry.save(force_insert=True)


# --- files


def test_the_job_writes_every_file_and_says_how_far_it_is(here, media):
    filled(here, 20)
    release = frozen(here)
    assert write(release) == "done"
    folder = media / "releases" / str(release.pk)
    assert sorted(p.name for p in folder.iterdir()) == FILES
    for file in ReleaseFile.objects.filter(release=release):
        data = (folder / file.name).read_bytes()
        assert (file.bytes, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert sorted(sums(release)) == FILES
    job = Job.objects.get(pk=release.job_id)
    # all records for the digest, then for JSON lines, for Parquet, for the list of licences and for the card
    assert (job.state, job.done, job.total) == ("done", 100, 100)


def test_the_files_check_each_other(here, media):
    filled(here, 20)
    release = frozen(here)
    write(release)
    folder = media / "releases" / str(release.pk)
    lines = [(folder / f"captions-{s}.jsonl").read_bytes() for s in ("train", "valid", "test")]
    assert [text.count(b"\n") for text in lines] == [12, 2, 6]
    assert hashlib.sha256(b"".join(lines)).hexdigest() == release.digest
    listed = dict(line.split("  ")[::-1] for line in (folder / "checksums.txt").read_text().splitlines())
    assert listed == {name: sha256 for name, sha256 in sums(release).items() if name != "checksums.txt"}
    first = json.loads(lines[0].splitlines()[0])
    assert first["captions"] == captions(first["id"])["captions"]


def test_same_content_and_seed_give_the_same_bytes(here):
    filled(here, 20)
    one, two, other = frozen(here), frozen(here), frozen(here, seed=8)
    for release in (one, two, other):
        write(release)
    assert one.digest == two.digest != other.digest
    # Only the card names the release, its date and its event; the checksums name the card.
    same = {name for name, sha256 in sums(one).items() if sums(two)[name] == sha256}
    assert same == set(FILES) - {"README.md", "checksums.txt"}


def test_what_is_corrected_after_freezing_does_not_reach_the_files(here, media):
    items = filled(here, 6)
    release = frozen(here)
    before = release.digest
    Image.objects.filter(pk=items[0].image_id).update(licence="unclear", subset="B", source={}, category=None)
    store(items[1].image, b"a later rendition", "png", version=2)
    assert write(release) == "done"
    lines = b"".join(
        (media / "releases" / str(release.pk) / f"captions-{s}.jsonl").read_bytes() for s in ("train", "valid", "test")
    )
    assert hashlib.sha256(lines).hexdigest() == before


def again(release):
    """Open the job once more, as a sweep finds it after its worker was killed."""
    Job.objects.filter(pk=release.job_id).update(state="queued", finished_at=None)
    return write(release)


def test_a_second_run_leaves_what_is_there_and_mends_what_is_not(here, media):
    filled(here, 8)
    release = frozen(here)
    write(release)
    folder = media / "releases" / str(release.pk)
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    (folder / "captions-train.parquet").unlink()
    (folder / "licences.csv").write_bytes(b"torn")
    assert again(release) == "done"
    after = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
    assert {n: b for n, (b, _) in after.items()} == {n: b for n, (b, _) in before.items()}
    assert {n for n in after if after[n] != before[n]} == {"captions-train.parquet", "licences.csv"}
    assert ReleaseFile.objects.filter(release=release).count() == len(FILES)


def test_a_run_that_was_cut_off_is_finished_by_the_next(here, media, monkeypatch):
    filled(here, 8)
    release = frozen(here)

    def cut(name, content, out):
        out.write(b"half")
        raise OSError("no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(registry.DATA["parquet"], "write", cut, raising=False)
        assert write(release) == "queued"
    folder = media / "releases" / str(release.pk)
    assert sorted(p.name for p in folder.iterdir()) == [
        "captions-test.jsonl",
        "captions-train.jsonl",
        "captions-valid.jsonl",
    ]
    assert write(release) == "done"
    assert sorted(p.name for p in folder.iterdir()) == FILES


def test_a_damaged_picture_stops_the_job_with_its_name(here, media):
    items = filled(here, 3)
    release = frozen(here)
    (media / items[1].image.renditions.get().key).write_bytes(b"not the picture")
    assert write(release) == "failed"
    job = Job.objects.get(pk=release.job_id)
    assert (job.error_code, job.error_params) == ("release_picture_damaged", {"label": "img-0002"})
    assert ReleasePictureDamaged.code == job.error_code


def test_records_that_do_not_add_up_stop_the_job(here):
    filled(here, 3)
    release = frozen(here)
    forged = "update annotation_releaseentry set record = jsonb_set(record, '{licence}', '\"other\"') where ordinal = 1"
    with pgtrigger.ignore("annotation.ReleaseEntry:append_only"):  # as somebody who owns the database could
        run(forged)
    assert write(release) == "failed"
    assert Job.objects.get(pk=release.job_id).error_code == ReleaseContentDiffers.code
    assert not ReleaseFile.objects.exists()


def test_bytes_other_than_the_published_ones_are_never_put_in_place(here, media):
    filled(here, 3)
    release = frozen(here)
    ReleaseFile.objects.create(release=release, name="licences.csv", bytes=1, sha256="0" * 64)
    assert write(release) == "failed"
    assert Job.objects.get(pk=release.job_id).error_code == ReleaseFileDiffers.code
    folder = media / "releases" / str(release.pk)
    assert not (folder / "licences.csv").exists()
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


def test_a_file_that_left_the_store_is_said_to_be_gone(here, media):
    filled(here, 3)
    release = frozen(here)
    write(release)
    opened = services.open_file(actor=here.admin, release_id=release.pk, name="licences.csv")[1]
    opened.close()
    (media / "releases" / str(release.pk) / "licences.csv").unlink()
    with pytest.raises(ReleaseFileGone):
        services.open_file(actor=here.admin, release_id=release.pk, name="licences.csv")
    for name in ("../../../etc/passwd", "..", "unknown.csv"):
        with pytest.raises(NotFound):
            services.open_file(actor=here.admin, release_id=release.pk, name=name)
