"""Covering a picture: a new version without a tick, and nothing left of the old one wherever it was kept."""

import io
import uuid
from pathlib import Path

import pgtrigger
import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from PIL import Image as Pillow

from annotation.items.models import Item, ItemRevision
from config.backup.destroyed import apply_after_restore, clean_backups, read_list
from curation.core.errors import ClientKeyReused, NotFound, OperationNotAllowed, OwnWork, StorageUnavailable
from curation.core.models import AuditEvent
from curation.core.stores import store
from curation.images.errors import ProposalsOpen, RegionsMalformed, SharingNotAllowed, StaleRedaction
from curation.images.models import (
    CoverHold,
    Destruction,
    DestructionDone,
    Image,
    NearPair,
    Redaction,
    Rendition,
    Upload,
    media_url,
)
from curation.images.rules import Region
from curation.images.services import (
    clear_images,
    cover_image,
    covering,
    destroy_files,
    destroyed_keys,
    destroyed_uploads,
    hold_to_cover,
    record_proposals,
    release_covers,
    renew_covers,
    share_images,
)
from curation.images.services.storage import original_key, upload_folder
from evaluation.runs.models import Feature, Reply, ReplyFailure, Run
from evaluation.runs.services import erase_vectors
from evaluation.sets.models import Entry, ItemSet
from evaluation.systems.models import System
from tests import buckets
from tests.people import send, signed_in, told
from tests.pictures import BOX, MARK, encode, files_with_pattern, image, marked, pixels, shows_pattern, upload

pytestmark = pytest.mark.django_db


def region(key="a", box=BOX, what="face", how="fill", **more):
    return Region(key, box, what, how, **more)


def cover(who, picture, *regions, no=None, key=None):
    picture = Image.objects.get(pk=picture.pk)
    return cover_image(
        actor=who,
        image_id=picture.pk,
        no=picture.redaction_no if no is None else no,
        regions=list(regions) or [region()],
        client_key=key or uuid.uuid4(),
    )


def tick(who, picture, no=None, service=clear_images):
    [result] = service(actor=who, benchmark_slug="cvlue", marks=[(picture.pk, uuid.uuid4(), no)])
    if result.error is not None:
        raise result.error
    return Image.objects.get(pk=picture.pk)


def address(rendition):
    return media_url(rendition.image_id, rendition.pk, rendition.role, rendition.key)


def test_covering_makes_the_next_version_and_takes_the_tick_off(here):
    picture = tick(here.curator, image(here.contributor))
    old = list(picture.renditions.order_by("role"))
    before = (picture.phash, picture.width, picture.height)
    made = cover(here.curator, picture, region(), region("b", (10, 10, 90, 90), how="pixelate"))
    picture.refresh_from_db()
    assert (picture.redaction_no, picture.pii_clear_by, picture.clear_no, picture.tick) == (1, None, None, "unticked")
    assert made.pk == picture.pk
    assert (picture.width, picture.height) == before[1:]
    assert picture.phash != before[0]
    new = list(picture.renditions.filter(version=2).order_by("role"))
    assert [r.role for r in new] == ["clean", "thumb", "view"]
    assert all(store().exists(r.key) for r in new)
    assert {d.key for d in Destruction.objects.all()} >= {r.key for r in old}
    redaction = Redaction.objects.get()
    assert (redaction.no, redaction.covers, redaction.by) == (1, True, here.curator)
    assert redaction.regions[0] == {
        "key": "a",
        "box": list(BOX),
        "what": "face",
        "how": "fill",
        "reason": "",
        "origin": "person",
    }
    assert AuditEvent.objects.filter(action="image_cover", target_id=picture.pk).count() == 1
    client = signed_in(here.curator)
    assert [client.get(address(r)).status_code for r in old] == [404] * 3
    answer = client.get(address(new[0]))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-store")
    ticked = tick(here.curator, picture, 1)
    assert (ticked.clear_no, ticked.tick) == (1, "clear")
    assert client.get(address(new[0])).headers["Cache-Control"] == "private, max-age=86400, immutable"


def test_the_same_request_covers_once(here):
    picture, key = image(here.contributor), uuid.uuid4()
    for _ in range(2):
        assert cover(here.curator, picture, key=key, no=0).redaction_no == 1
    assert Redaction.objects.count() == 1
    with pytest.raises(ClientKeyReused):
        cover(here.curator, picture, region(), region("b", (1, 1, 60, 60)), key=key, no=0)
    with pytest.raises(StaleRedaction) as stale:
        cover(here.curator, picture, no=0)
    assert stale.value.params == {"no": 0, "redaction_no": 1}


def test_of_two_who_cover_at_once_the_files_of_the_second_are_destroyed_and_listed(here, media, monkeypatch):
    picture, made = image(here.contributor), covering._make_files

    def late(*given):
        files_of_second = made(*given)
        monkeypatch.setattr(covering, "_make_files", made)
        cover(here.curator, picture, region(), region("b", (1, 1, 60, 60)))
        late.keys = list(files_of_second._keys)
        return files_of_second

    monkeypatch.setattr(covering, "_make_files", late)
    with pytest.raises(StaleRedaction):
        cover(here.curator, picture, no=0)
    assert len(late.keys) == 3
    assert not any((media / key).exists() for key in late.keys)
    assert set(late.keys) < set(Destruction.objects.values_list("key", flat=True))


def test_who_covers_and_ticks(here):
    picture = image(here.contributor)
    for who in (here.senior, here.annotator):
        with pytest.raises((OperationNotAllowed, NotFound)):
            cover(who, picture)
    with pytest.raises(NotFound):
        cover(here.stranger, picture)
    assert state_of(picture) == (0, "unticked", 0)
    cover(here.contributor, picture)  # before the tick
    with pytest.raises(OperationNotAllowed):
        tick(here.contributor, picture)
    assert state_of(picture) == (1, "unticked", 1)
    tick(here.curator, picture)
    with pytest.raises(NotFound):
        cover(here.contributor, picture)  # from the tick on, curators only
    assert state_of(picture) == (1, "clear", 1)
    cover(here.curator2, picture)
    cover(here.admin, picture)
    own = image(here.curator, 7)
    with pytest.raises(OwnWork):
        tick(here.curator, own)
    assert state_of(own) == (0, "unticked", 0)


def state_of(picture):
    """How often it was covered, its tick, and how many decisions on regions are kept."""
    picture = Image.objects.get(pk=picture.pk)
    return picture.redaction_no, picture.tick, picture.redactions.count()


def test_ticks_that_are_refused(here):
    picture = image(here.contributor)
    cover(here.curator, picture)
    with pytest.raises(StaleRedaction):
        tick(here.curator, picture, 0)
    assert Image.objects.get(pk=picture.pk).tick == "unticked"
    # The same by the database, whatever the application does.
    for values in (
        {"pii_clear_by": here.curator, "clear_no": 0},  # of the version before
        {"pii_clear_by": here.contributor, "clear_no": 1},  # one's own
        {"shared_at": "2026-01-01T00:00:00Z", "shared_no": 0},
        {"shared_at": "2026-01-01T00:00:00Z"},
        {"redaction_no": 0},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Image.objects.filter(pk=picture.pk).update(**values)


def test_nothing_is_annotated_without_a_tick(here):
    picture = image(here.contributor)
    with pytest.raises(IntegrityError, match="item_picture_clear"), transaction.atomic():
        Item.objects.create(benchmark=here.benchmark, kind="captions", image=picture, number=1)
    tick(here.curator, picture)
    item = Item.objects.create(benchmark=here.benchmark, kind="captions", image=picture, number=1)
    cover(here.curator, picture)
    write = {"item": item, "author": here.annotator, "origin": "annotator", "content": {}}
    write["protocol"] = here.benchmark.protocol
    for no in (0, 1):  # of the version before; of this one, before its tick
        with pytest.raises(IntegrityError, match="item_revision_of_version"), transaction.atomic():
            ItemRevision.objects.create(no=1, picture_no=no, client_key=uuid.uuid4(), **write)
    tick(here.curator, picture)
    ItemRevision.objects.create(no=1, picture_no=1, client_key=uuid.uuid4(), **write)


def test_a_contributors_own_tick(make_world):
    here = make_world(share="own_tick")
    picture = image(here.contributor)
    shared = tick(here.contributor, picture, service=share_images)
    assert (shared.tick, shared.shared_no, shared.pii_clear_by) == ("shared", 0, None)
    assert share_images(actor=here.contributor, benchmark_slug="cvlue", marks=[(picture.pk, uuid.uuid4())])
    other = image(here.curator, 9)
    with pytest.raises(NotFound):
        tick(here.contributor, other, service=share_images)
    with pytest.raises(NotFound):
        cover(here.contributor, picture)
    assert tick(here.curator, picture).tick == "clear"
    cover(here.curator, picture)
    assert Image.objects.get(pk=picture.pk).tick == "unticked"


def test_elsewhere_contributors_do_not_tick_their_own(here):
    picture = image(here.contributor)
    with pytest.raises(SharingNotAllowed):
        tick(here.contributor, picture, service=share_images)


def test_what_was_found_has_to_be_decided(here):
    picture = image(here.contributor)
    found = [
        {"key": "face-0", "box": [200, 150, 120, 100], "what": "face", "score": 0.9},
        {"key": "face-1", "box": [20, 20, 60, 60], "what": "face", "score": 0.6},
    ]
    assert record_proposals(image_id=picture.pk, version=1, detector="faces", regions=found)
    with pytest.raises(ProposalsOpen) as undecided:
        tick(here.curator, picture)
    assert undecided.value.params == {"count": 2}
    with pytest.raises(ProposalsOpen):
        cover(here.curator, picture, region("face-0", origin="proposed"))
    assert state_of(picture) == (0, "unticked", 0)
    statue = region("face-1", (20, 20, 60, 60), how="exempt", reason="a statue", origin="proposed")
    cover(here.curator, picture, region("face-0", origin="proposed"), statue)
    # The detector finds the statue again in the new version, moved a little.
    assert not record_proposals(image_id=picture.pk, version=1, detector="faces", regions=found)
    again = [{"key": "face-0", "box": [22, 21, 60, 60], "what": "face", "score": 0.6}]
    assert record_proposals(image_id=picture.pk, version=2, detector="faces", regions=again)
    assert tick(here.curator, picture).tick == "clear"


def test_regions_that_all_stay_visible_make_no_new_version(here):
    picture = image(here.contributor)
    record_proposals(
        image_id=picture.pk,
        version=1,
        detector="text",
        regions=[{"key": "t", "box": [9, 9, 50, 20], "what": "text", "score": 0.5}],
    )
    cover(here.curator, picture, region("t", (9, 9, 50, 20), "text", "exempt", reason="the name of the dish"))
    picture.refresh_from_db()
    assert (picture.redaction_no, Redaction.objects.get().covers, Destruction.objects.count()) == (0, False, 0)
    assert tick(here.curator, picture).tick == "clear"


@pytest.mark.parametrize(
    "bad", [region(box=(600, 0, 100, 50)), region(how="exempt"), region(reason="no"), region(box=(1, 1, 0.2, 9))]
)
def test_regions_that_cannot_be_used_change_nothing(here, bad):
    picture = image(here.contributor)
    with pytest.raises(RegionsMalformed):
        cover(here.curator, picture, bad)
    assert Image.objects.get(pk=picture.pk).redaction_no == 0
    assert Rendition.objects.count() == 3


def test_a_store_that_does_not_answer_leaves_everything_as_it_was(here, monkeypatch):
    picture = image(here.contributor)
    kept = sorted(path for path in Path(django_settings.MEDIA_ROOT).rglob("*") if path.is_file())

    def fail(*args, **kwargs):
        raise StorageUnavailable

    monkeypatch.setattr(type(store()), "put", fail)
    with pytest.raises(StorageUnavailable):
        cover(here.curator, picture)
    monkeypatch.undo()
    assert sorted(path for path in Path(django_settings.MEDIA_ROOT).rglob("*") if path.is_file()) == kept
    assert Image.objects.get(pk=picture.pk).redaction_no == 0


# --- Near duplicates are those of the new version

LARGE = (200.0, 90.0, 320.0, 320.0)


def scene(seed):
    """A picture with other content within a large region for each seed."""
    array = pixels(640, 480, 3)
    left, top, wide, high = (int(value) for value in LARGE)
    array[top : top + high, left : left + wide] = pixels(wide, high, seed)
    return encode(array, quality=95)


def near_of(picture):
    picture.refresh_from_db()
    named = [flag["params"]["near"] for flag in picture.flags if flag["code"] == "near_duplicate"]
    return named, set(NearPair.objects.filter(image=picture).values_list("other__number", flat=True))


def test_a_covered_version_is_compared_with_the_other_pictures(here, make_world):
    other = make_world(slug="other", prefix="o")
    like = Image.objects.get(pk=upload(other.contributor, scene(11), slug="other").image_id)
    cover(other.curator, like, region(box=LARGE))
    covered = store().read(like.renditions.get(role="clean", version=2).key)
    first = Image.objects.get(pk=upload(here.contributor, covered).image_id)
    second = Image.objects.get(pk=upload(here.contributor, scene(12)).image_id)
    assert [near_of(picture) for picture in (first, second)] == [([], set()), ([], set())]
    cover(here.curator, second, region(box=LARGE))
    # The flag is the later finding about one picture, the pair is of both.
    assert near_of(second) == ([first.label], {first.number})
    assert near_of(first) == ([], {second.number})
    assert [flag["code"] for flag in second.flags].count("near_duplicate") == 1


def test_a_flag_goes_if_the_covered_version_is_like_no_other(here):
    first = Image.objects.get(pk=upload(here.contributor, scene(11)).image_id)
    second = Image.objects.get(
        pk=upload(here.contributor, encode(Pillow.open(io.BytesIO(scene(11))), quality=60)).image_id
    )
    assert near_of(second) == ([first.label], {first.number})
    second.flags.append({"code": "blurred", "params": {"sharpness": 1.0, "limit": 60}})
    second.save(update_fields=["flags"])
    cover(here.curator, second, region(box=(20, 20, 600, 440)))
    assert near_of(second) == ([], {first.number})
    assert [flag["code"] for flag in second.flags] == ["blurred"]


# --- Over HTTP


def test_the_page_of_regions(here):
    picture = image(here.contributor)
    curator = signed_in(here.curator)
    shown = curator.get(f"/api/v1/images/{picture.pk}/regions").json()
    assert (shown["redaction_no"], shown["tick"], shown["proposals"], shown["open"], shown["history"]) == (
        0,
        "unticked",
        [],
        [],
        [],
    )
    assert (shown["image"]["proposals"], shown["style"], shown["keep_originals"]) == (None, "fill", False)
    assert set(shown["available_actions"]) == {"image_cover", "image_clear"}
    body = {
        "no": 0,
        "regions": [{"key": "a", "box": list(BOX), "what": "text", "how": "pixelate"}],
        "client_key": str(uuid.uuid4()),
    }
    answer = send(curator, "POST", f"images/{picture.pk}/cover", body)
    assert answer.status_code == 200
    assert (answer.json()["redaction_no"], answer.json()["history"][0]["regions"][0]["how"]) == (1, "fill")
    assert told(send(curator, "POST", f"images/{picture.pk}/cover", body | {"client_key": str(uuid.uuid4())})) == (
        409,
        "stale_redaction",
    )
    assert signed_in(here.contributor).get(f"/api/v1/images/{picture.pk}/regions").status_code == 200
    for who in (here.senior, here.annotator, here.stranger):
        assert signed_in(who).get(f"/api/v1/images/{picture.pk}/regions").status_code in (403, 404)


def test_a_key_is_for_one_covering_only(here):
    picture, key = image(here.contributor), uuid.uuid4()
    cover(here.curator, picture, region("a", (10, 10, 64, 64)), no=0, key=key)
    with pytest.raises(ClientKeyReused):
        cover(here.curator, picture, region("a", (300, 300, 64, 64), what="plate"), no=0, key=key)
    cover(here.curator, picture, region("a", (10, 10, 64, 64)), no=0, key=key)
    assert Redaction.objects.filter(image=picture.pk).count() == 1


def test_a_key_of_a_tick_is_for_the_version_that_it_named(here):
    picture, key = image(here.contributor), uuid.uuid4()

    def ticked(no):
        [result] = clear_images(actor=here.curator, benchmark_slug="cvlue", marks=[(picture.pk, key, no)])
        return result.error

    assert ticked(0) is None
    cover(here.curator, picture, region("a", (10, 10, 64, 64)))
    assert isinstance(ticked(1), ClientKeyReused)
    assert Image.objects.get(pk=picture.pk).tick == "unticked"


def test_a_reason_that_shows_nothing_leaves_nothing_visible(here):
    picture = image(here.contributor)
    with pytest.raises(RegionsMalformed):
        cover(here.curator, picture, region("a", how="exempt", reason="\u200b"))
    assert not Redaction.objects.exists()


def test_true_is_no_coordinate(here):
    picture = image(here.contributor)
    one = {"key": "a", "box": [True, True, True, True], "what": "face", "how": "fill"}
    body = {"no": 0, "regions": [one], "client_key": str(uuid.uuid4())}
    assert told(send(signed_in(here.curator), "POST", f"images/{picture.pk}/cover", body)) == (400, "invalid_input")
    assert (Image.objects.get(pk=picture.pk).redaction_no, Redaction.objects.count()) == (0, 0)


def test_batches_of_pictures_without_a_tick(here):
    pictures = [image(here.contributor, n) for n in range(1, 5)]
    tick(here.curator, pictures[0])
    record_proposals(
        image_id=pictures[2].pk,
        version=1,
        detector="faces",
        regions=[{"key": "f", "box": [9, 9, 60, 60], "what": "face", "score": 0.9}],
    )
    held = hold_to_cover(actor=here.curator, benchmark_slug="cvlue", size=2)
    assert held.image_ids == [pictures[1].pk, pictures[2].pk]
    other = hold_to_cover(actor=here.curator2, benchmark_slug="cvlue", size=5)
    assert (other.image_ids, other.held_by_others) == ([pictures[3].pk], 2)
    assert renew_covers(actor=here.curator, benchmark_slug="cvlue") is not None
    cover(here.curator, pictures[2], region("f", (9, 9, 60, 60)))
    tick(here.curator, pictures[2])
    assert not CoverHold.objects.filter(image=pictures[2].pk).exists()
    release_covers(actor=here.curator, benchmark_slug="cvlue")
    release_covers(actor=here.curator2, benchmark_slug="cvlue")
    record_proposals(
        image_id=pictures[3].pk,
        version=1,
        detector="faces",
        regions=[{"key": "f", "box": [9, 9, 60, 60], "what": "face", "score": 0.9}],
    )
    assert hold_to_cover(actor=here.curator, benchmark_slug="cvlue", size=9, proposed=True).image_ids == [
        pictures[3].pk
    ]
    answer = send(signed_in(here.curator2), "POST", "benchmarks/cvlue/images/cover/hold", {"size": 9})
    assert [(i["id"], i["proposals"], i["tick"]) for i in answer.json()["images"]] == [
        (pictures[1].pk, None, "unticked")
    ]


def test_pictures_that_were_passed_over_are_released_and_the_next_reserved(here):
    pictures = [image(here.contributor, n) for n in range(1, 5)]

    def hold(who, **rule):
        return hold_to_cover(actor=who, benchmark_slug="cvlue", size=2, **rule).image_ids

    assert hold(here.curator) == [pictures[0].pk, pictures[1].pk]
    assert hold(here.curator, after=pictures[1].number) == [pictures[2].pk, pictures[3].pk]
    assert hold(here.curator2) == [pictures[0].pk, pictures[1].pk]
    assert hold(here.curator, after=pictures[3].number) == []
    assert hold(here.curator) == [pictures[2].pk, pictures[3].pk]


@pytest.mark.parametrize("role", ["clean", "view", "thumb"])
def test_a_picture_without_a_tick_is_for_its_contributor_and_curators_only(here, role):
    picture = image(here.contributor)
    url = address(picture.renditions.get(role=role))
    seen = {
        name: signed_in(getattr(here, name)).get(url).status_code
        for name in ("owner", "admin", "curator", "senior", "annotator", "contributor", "stranger")
    }
    assert seen == {
        "owner": 404,
        "admin": 200,
        "curator": 200,
        "senior": 404,
        "annotator": 404,
        "contributor": 200,
        "stranger": 403,
    }
    tick(here.curator, picture)
    assert signed_in(here.senior).get(url).status_code == 200


# --- Destruction: nothing is found anywhere


@pytest.fixture
def loaded(make_world):
    here = make_world()
    data = encode(marked(), quality=95, comment=MARK)
    picture = Image.objects.get(pk=upload(here.contributor, data).image_id)
    return here, picture


def test_after_destruction_the_pattern_is_in_no_file_backup_or_restore(loaded, tmp_path):
    here, picture = loaded
    media = Path(django_settings.MEDIA_ROOT)
    assert len(files_with_pattern(media)) == 3
    backups = tmp_path / "backups"
    for name in ("20260101T000000Z", "20260102T000000Z.partial"):
        for file in picture.renditions.all():
            copy = backups / name / "media" / file.key
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((media / file.key).read_bytes())
    # What a killed process may have left, and an original that is kept no more.
    staged = upload_folder(picture_upload(picture))
    staged.mkdir(parents=True)
    (staged / "data").write_bytes(encode(marked(), quality=95))
    original = media / original_key(here.benchmark.pk, picture.sha256)
    original.parent.mkdir(parents=True)
    original.write_bytes(encode(marked(), quality=95))
    cover(here.curator, picture)
    assert destroy_files() >= 4
    assert files_with_pattern(media) == []
    assert len(files_with_pattern(backups)) == 6
    assert clean_backups(backups) >= 6
    assert files_with_pattern(backups) == []
    listed = read_list(backups)
    assert listed == set(Destruction.objects.values_list("key", flat=True))
    # A restore of a backup from another site, which still has the files.
    for file in picture.renditions.filter(version=1):
        (media / file.key).parent.mkdir(parents=True, exist_ok=True)
        (media / file.key).write_bytes(encode(marked(), quality=95))
    assert len(files_with_pattern(media)) == 3
    apply_after_restore(listed)
    assert files_with_pattern(media) == []


def picture_upload(picture):
    return Upload.objects.get(image=picture).pk


def test_staged_files_of_a_covered_picture_are_found_in_backups_and_no_others(loaded):
    here, picture = loaded
    archive = Upload.objects.create(
        benchmark=here.benchmark,
        person=here.contributor,
        kind="zip",
        filename="a.zip",
        bytes=1,
        client_key=uuid.uuid4(),
        expires_at=timezone.now(),
    )
    Upload.objects.filter(image=picture).update(parent=archive)
    file = picture.renditions.get(role="clean")
    staged = {
        f"incoming/{picture_upload(picture)}/data": "0" * 64,  # received in part, for example
        f"incoming/{archive.pk}/data": "1" * 64,
        "incoming/tmpa": file.sha256,
        "incoming/tmpb": picture.sha256,
        "incoming/tmpc": "2" * 64,
        f"incoming/{uuid.uuid4()}/data": picture.sha256,  # the same file, uploaded elsewhere
    }
    assert destroyed_uploads(staged, set()) == set()
    cover(here.curator, picture)
    assert destroyed_uploads(staged, set(destroyed_keys())) == set(list(staged)[:4])


def test_the_command_lists_what_is_destroyed(loaded, capsys):
    here, picture = loaded
    keys = set(picture.renditions.values_list("key", flat=True))
    cover(here.curator, picture)
    call_command("destroyed")
    assert keys <= set(capsys.readouterr().out.split())


def test_a_bucket_with_versions_keeps_none(make_world, settings):
    place = buckets.fresh()
    buckets.client().put_bucket_versioning(Bucket=place["bucket"], VersioningConfiguration={"Status": "Enabled"})
    settings.OBJECT_STORE = {**django_settings.OBJECT_STORE, **place}
    here = make_world()
    picture = Image.objects.get(pk=upload(here.contributor, encode(marked(), quality=95)).image_id)
    store().remove(picture.renditions.get(role="thumb").key)  # hidden by a delete marker

    def versions():
        listed = buckets.client().list_object_versions(Bucket=place["bucket"])
        return [
            buckets.client().get_object(Bucket=place["bucket"], Key=v["Key"], VersionId=v["VersionId"])["Body"].read()
            for v in listed.get("Versions", [])
        ]

    assert sum(map(shows_pattern, versions())) == 3
    cover(here.curator, picture)
    destroy_files()
    assert sum(map(shows_pattern, versions())) == 0
    assert len(versions()) == 3


def test_what_is_kept_on_purpose_stays(make_world):
    here = make_world(keep_originals=True)
    picture = Image.objects.get(pk=upload(here.contributor, encode(marked(), quality=95)).image_id)
    key = original_key(here.benchmark.pk, picture.sha256)
    cover(here.curator, picture)
    destroy_files()
    assert store().exists(key)
    assert not Destruction.objects.filter(key=key).exists()


def test_vectors_of_the_old_file_are_erased_and_no_others(loaded):
    here, picture = loaded
    tick(here.curator, picture)
    old = picture.renditions.get(role="clean")
    item = Item.objects.create(benchmark=here.benchmark, kind="captions", image=picture, number=1)
    ItemRevision.objects.create(
        item=item,
        no=1,
        author=here.annotator,
        origin="annotator",
        content={},
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    run, entries = run_of(here), entries_of(here, item, old.sha256)
    for sha256 in (old.sha256, "f" * 64):
        Feature.objects.create(system=run.system, input_sha256=sha256, preparation="p" * 64, vector=b"\x01" * 8)
    text, erased = ["e" * 64, "p" * 64], [old.sha256, "p" * 64]
    for entry, value in zip(entries, ({"text": text, "picture": erased}, {"text": text}), strict=True):
        Reply.objects.create(run=run, entry=entry, outcome="answered", value=value)
    Run.objects.filter(pk=run.pk).update(expected=2, answered=2)
    with pytest.raises(Exception, match="not destroyed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select erase_vectors(%s)", [old.pk])
    cover(here.curator, picture)
    assert erase_vectors() == 1
    assert list(Feature.objects.values_list("input_sha256", flat=True)) == ["f" * 64]
    # What named the vector has failed, and can be tried again with the picture's new file.
    assert list(Reply.objects.values_list("entry", flat=True)) == [entries[1].pk]
    failed = ReplyFailure.objects.get()
    assert (failed.entry, failed.code, failed.input, failed.value) == (
        entries[0],
        "picture_altered",
        "picture",
        {"text": text},
    )
    run.refresh_from_db()
    assert (run.answered, run.failed) == (1, 1)
    assert erase_vectors() == 0
    with pytest.raises(IntegrityError), transaction.atomic():
        Feature.objects.all().delete()  # the tables are append-only as before


def test_a_vector_that_another_picture_has_too_stays(loaded):
    here, picture = loaded
    tick(here.curator, picture)
    old = picture.renditions.get(role="clean")
    run = run_of(here)
    Feature.objects.create(system=run.system, input_sha256=old.sha256, preparation="p" * 64, vector=b"\x01" * 8)
    other = Image.objects.get(pk=upload(here.contributor, encode(pixels(seed=77))).image_id)
    same = other.renditions.get(role="clean")
    with pgtrigger.ignore():
        type(same).objects.filter(pk=same.pk).update(sha256=old.sha256)
    cover(here.curator, picture)
    assert erase_vectors() == 0
    assert Feature.objects.get().input_sha256 == old.sha256
    tick(here.curator, other)
    cover(here.curator, other)
    assert erase_vectors() == 1
    assert not Feature.objects.exists()


def entries_of(here, item, sha256):
    """Two captions of an item, in a set that was made of a file."""
    texts = {"content": {"picture": "", "type": "", "values": {"text": "x"}, "options": [], "names": []}}
    about = {"set": ItemSet.objects.get(), "item": item, "revision_no": 1, "image": item.image, "cluster": "x"}
    about |= {"texts": texts, "gold": [], "row": {"file": sha256, "version": 1}}
    return [Entry.objects.create(**about, no=no, key=str(no), line=no, part=no - 1) for no in (1, 2)]


def run_of(here):
    system = System.objects.create(
        slug="tiny", name="Tiny", backend="x", locator="x", revision="1", files_sha256="0" * 64, capabilities=["embed"]
    )
    return Run.objects.create(
        system=system,
        benchmark=here.benchmark,
        suite="retrieval",
        set=ItemSet.objects.create(benchmark=here.benchmark, suite="retrieval", name="x", created_by=here.curator),
        protocol=here.benchmark.protocol,
        settings_sha256="0" * 64,
    )


def test_a_killed_worker_goes_on_where_it_was(loaded, monkeypatch):
    here, picture = loaded
    cover(here.curator, picture)
    real, calls = type(store()).destroy, []

    def killed(self, key):
        calls.append(key)
        if len(calls) == 2:
            raise KeyboardInterrupt  # between two files
        real(self, key)

    monkeypatch.setattr(type(store()), "destroy", killed)
    with pytest.raises(KeyboardInterrupt):
        destroy_files()
    assert DestructionDone.objects.filter(place="store").count() == 1
    monkeypatch.undo()
    destroy_files()
    assert files_with_pattern(django_settings.MEDIA_ROOT) == []
    done = set(DestructionDone.objects.filter(place="store").values_list("destruction_id", flat=True))
    assert done == set(Destruction.objects.values_list("pk", flat=True))
