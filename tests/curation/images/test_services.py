"""Pictures come in whole or not at all, and nobody judges their own."""

import os
import threading
import time
import uuid

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.core.errors import ActionNotAllowed, ClientKeyReused, DomainError, NotFound, OperationNotAllowed, OwnWork
from curation.core.models import AuditEvent
from curation.images import access, errors, queries
from curation.images.models import Image, ImageVerdict, NearPair, Rendition, Upload
from curation.images.services import describe_uploads, finalize_uploads, receiving, sweep_files, withdraw_image
from curation.images.services.slots import PartSlots
from curation.people.models import RoleGrant, Team
from tests import pictures
from tests.people import Role, person
from tests.pictures import clear, files, image, judge, ready, upload


def rows():
    return (Image.objects.count(), Rendition.objects.count(), AuditEvent.objects.count(), NearPair.objects.count())


# --- upload


def in_teams(here, who, *names):
    made = [Team.objects.create(benchmark=here.benchmark, name=name) for name in names]
    RoleGrant.objects.bulk_create(
        RoleGrant(person=who, benchmark=here.benchmark, team=team, role=Role.CONTRIBUTOR) for team in made
    )
    who.grants = None
    return made


def test_a_picture_belongs_to_the_team_of_its_contributor(here, media):
    assert image(here.contributor, 1).team is None
    [team] = in_teams(here, here.contributor, "四川")
    in_teams(here, here.curator, "广东")
    assert image(here.contributor, 2).team == team
    assert image(here.contributor, 3, team=team.pk).team == team


def test_who_is_in_several_teams_names_one_of_them(here, media):
    [sichuan, guangdong] = in_teams(here, here.contributor, "四川", "广东")
    [other] = in_teams(here, here.curator, "北京")
    with pytest.raises(errors.DetailsMissing) as refused:
        upload(here.contributor)
    assert refused.value.params == {"fields": ["team"]}
    with pytest.raises(errors.NotYourTeam) as refused:
        upload(here.contributor, team=other.pk)
    assert refused.value.params == {"team": other.pk}
    assert rows() == (0, 0, 0, 0)
    assert image(here.contributor, 1, team=guangdong.pk).team == guangdong
    assert image(here.contributor, 2, team=sichuan.pk).team == sichuan


def test_who_left_the_team_they_named_names_another(here, media):
    [sichuan, _, beijing] = in_teams(here, here.contributor, "四川", "广东", "北京")
    begun = ready(here.contributor, team=sichuan.pk)
    RoleGrant.objects.filter(team=sichuan).update(ended_at="2026-01-01T00:00Z")
    here.contributor.grants = None
    [result] = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[begun.pk])
    assert (type(result.error), result.error.params) == (errors.DetailsMissing, {"fields": ["team"]})
    assert Image.objects.count() == 0
    # Another detail may still change, and so may the team.
    details = {"author": "甲"}
    assert describe_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[begun.pk], details=details)
    details = {"team": beijing.pk}
    assert describe_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[begun.pk], details=details)
    finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[begun.pk])
    assert Image.objects.get().team == beijing


def test_members_of_a_team_see_its_pictures(here, media):
    [team] = in_teams(here, here.contributor, "四川")
    mate, outsider = (person(name, here.benchmark, Role.CONTRIBUTOR) for name in ("mate", "outsider"))
    RoleGrant.objects.filter(person=mate).update(team=team)
    mate.grants = None
    mine = image(here.contributor)
    for who, reached in ((mate, [mine.pk]), (outsider, []), (here.contributor, [mine.pk])):
        visible = access.images_visible_to(who, here.benchmark, "image_list")
        assert list(visible.values_list("pk", flat=True)) == reached
    assert queries.image_detail(mate, mine.pk)["id"] == mine.pk
    with pytest.raises(NotFound):
        queries.image_detail(outsider, mine.pk)


def test_an_upload_is_numbered_stored_and_recorded(here, media):
    first = Image.objects.get(pk=upload(here.contributor, pictures.loaded_jpeg(6)).image_id)
    second = image(here.curator, 2)
    assert (first.number, second.number, first.state, first.category.slug) == (1, 2, "received", "lantern")
    assert (first.width, first.height) == (480, 640)  # turned upright
    assert first.source == {
        "kind": "own",
        "site": "",
        "url": "",
        "author": "",
        "uses": None,
        "waived": False,
        "donor_consent": False,
    }
    by_role = {r.role: r for r in first.renditions.all()}
    assert set(by_role) == {"clean", "view", "thumb"}
    clean = by_role["clean"]
    assert clean.key == f"renditions/{Upload.objects.get(image=first).pk}/{clean.pk}-clean.jpg"
    data = (media / clean.key).read_bytes()
    assert (len(data), clean.width, clean.height) == (clean.bytes, 480, 640)
    assert files(media) == sorted(r.key for r in Rendition.objects.all())
    for path in media.rglob("*.*"):
        assert pictures.MARK not in path.read_bytes()
    event = AuditEvent.objects.get(target_id=first.pk)
    assert (event.action, event.actor_id, event.state_to) == ("upload_take", here.contributor.pk, "received")
    assert event.data == {"sha256": first.sha256, "licence": "own-work", "flags": []}


def test_the_file_as_uploaded_is_destroyed_unless_the_protocol_keeps_it(db, make_world, media):
    here = make_world(keep_originals=True)
    data = pictures.loaded_jpeg()
    kept = Image.objects.get(pk=upload(here.contributor, data).image_id)
    (original,) = [f for f in files(media) if f.startswith("originals/")]
    assert original == f"originals/{here.benchmark.pk}/{kept.sha256[:2]}/{kept.sha256}"
    assert (media / original).read_bytes() == data
    assert len(files(media)) == 4


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"<html>" * 2000, errors.FileIsWebPage),
        (pictures.jpeg()[:9_000], errors.ImageUndecodable),
        (pictures.jpeg(width=200, height=200), errors.ImageTooSmall),
        (pictures.jpeg(width=1300, height=300), errors.ImageAspect),
        (pictures.png_claiming(9_000, 9_000) + bytes(4_000), errors.ImageBomb),
        (b"\xff\xd8\xff", errors.ImageTooFewBytes),
        (b"", errors.ImageTypeRefused),
    ],
)
def test_a_refused_file_leaves_nothing(here, media, data, error):
    with pytest.raises(error):
        upload(here.contributor, data)
    assert rows() == (0, 0, 0, 0)
    assert files(media) == []


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"licence": "all-rights-reserved"}, errors.LicenceNotAllowed),
        ({"category": "panda"}, errors.CategoryUnknown),
        ({"source": "external"}, errors.DetailsMissing),
        ({"source": "found"}, errors.SourceNotAllowed),
    ],
)
def test_a_refused_form_leaves_nothing(here, media, changes, error):
    with pytest.raises(error):
        upload(here.contributor, **changes)
    assert rows() == (0, 0, 0, 0)
    assert files(media) == []


def test_a_file_above_the_protocols_size_is_refused(db, make_world, media):
    here = make_world(bytes={"minimum": 1, "maximum": 10_000})
    with pytest.raises(errors.ImageTooLarge) as refused:
        upload(here.contributor)
    assert refused.value.params["maximum"] == 10_000
    assert (rows(), files(media)) == ((0, 0, 0, 0), [])


def test_who_may_upload(here, media):
    for who, error in [
        (here.annotator, OperationNotAllowed),
        (here.senior, OperationNotAllowed),
        (here.stranger, NotFound),
    ]:
        with pytest.raises(error):
            upload(who)
    assert (rows(), files(media)) == ((0, 0, 0, 0), [])


def test_the_same_file_is_refused_with_its_twin_named(here, media):
    first = image(here.contributor)
    stored = files(media)
    with pytest.raises(errors.ImageDuplicate) as refused:
        upload(here.curator)
    assert refused.value.params == {"twin": "img-0001", "twin_id": first.pk}
    assert (rows()[:3], files(media)) == ((1, 3, 1), stored)


def test_a_twin_that_the_contributor_may_not_see_is_not_named(here, media):
    image(here.curator)
    with pytest.raises(errors.ImageDuplicate) as refused:
        upload(here.contributor)
    assert refused.value.params == {"twin": None, "twin_id": None}


def test_the_same_file_may_go_to_another_benchmark_and_come_again_after_a_refusal(here, make_world):
    first = image(here.contributor)
    other = make_world(slug="other", prefix="x")
    assert image(other.contributor, slug="other").number == 1
    judge(here.curator, first.pk, "refused", ["watermark"])
    again = image(here.contributor)
    assert again.number == 2
    with pytest.raises(errors.ImageDuplicate) as refused:  # the refused one cannot come back beside it
        judge(here.curator, first.pk, "accepted", [])
    assert refused.value.params["twin"] == "img-0002"
    first.refresh_from_db()
    assert first.state == "refused"


def test_the_same_key_gives_the_same_picture_and_other_bytes_are_refused(here, media):
    key = uuid.uuid4()
    first = upload(here.contributor, client_key=key)
    again = upload(here.contributor, client_key=key)
    assert (first.replayed, again.replayed, again.image_id) == (False, True, first.image_id)
    with pytest.raises(ClientKeyReused):
        upload(here.contributor, pictures.jpeg(2), client_key=key)
    assert rows()[:3] == (1, 3, 1)
    assert len(files(media)) == 3


def test_a_key_of_another_action_is_refused(here, media):
    taken, key = image(here.contributor), uuid.uuid4()
    judge(here.curator, taken.pk, "accepted", [], client_key=key)
    with pytest.raises(ClientKeyReused):
        upload(here.curator, pictures.jpeg(2), client_key=key)
    assert Image.objects.count() == 1
    assert len(files(media)) == 3


def test_near_duplicates_are_flagged_beside_each_other_and_not_refused(here):
    first = image(here.contributor, 1)
    far = image(here.contributor, 2)
    worse = upload(here.contributor, pictures.encode(pictures.pixels(seed=1), quality=40)).image_id
    flags = Image.objects.get(pk=worse).flags
    assert [f["code"] for f in flags] == ["near_duplicate"]
    assert flags[0]["params"]["near"] == "img-0001"
    assert flags[0]["params"]["distance"] <= 4
    pairs = set(NearPair.objects.values_list("image_id", "other_id"))
    assert pairs == {(first.pk, worse), (worse, first.pk)}
    assert far.flags == []


def test_near_pictures_of_another_benchmark_are_no_ones_business(here, make_world):
    image(here.contributor)
    other = make_world(slug="other", prefix="x")
    assert image(other.contributor, slug="other").flags == []
    assert NearPair.objects.count() == 0


def test_a_blurred_picture_is_flagged(here):
    flat = pictures.encode(pictures.pixels()[::60, ::80].repeat(60, 0).repeat(80, 1) // 40 + 100, "PNG")
    flags = Image.objects.get(pk=upload(here.contributor, flat).image_id).flags
    assert [f["code"] for f in flags] == ["blurred"]
    assert flags[0]["params"]["limit"] == 20


@pytest.mark.django_db(transaction=True)
def test_one_file_from_many_connections_is_one_picture(make_world, media, monkeypatch):
    monkeypatch.setattr(receiving, "slots", PartSlots(total=6, per_person=6))
    here = make_world()
    data = pictures.jpeg()
    people = (here.contributor, here.curator) * 3
    results = _at_once(6, lambda i: upload(people[i], data))
    assert sum(not isinstance(r, Exception) for r in results) == 1
    # Contributors see their own pictures only.
    may_see = {here.curator, Image.objects.get().contributor}
    for uploader, result in zip(people, results, strict=True):
        if isinstance(result, Exception):
            assert result.params["twin"] == ("img-0001" if uploader in may_see else None)
    assert {type(r) for r in results if isinstance(r, Exception)} == {errors.ImageDuplicate}
    assert rows()[:3] == (1, 3, 1)
    assert len(files(media)) == 3


@pytest.mark.django_db(transaction=True)
def test_one_upload_taken_from_many_connections_is_one_picture(make_world, media):
    here = make_world()
    waiting = pictures.ready(here.contributor)
    results = _at_once(6, lambda i: finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[waiting.pk]))
    assert {taken.error for (taken,) in results} == {None}
    assert {taken.image_id for (taken,) in results} == {Image.objects.get().pk}
    assert rows()[:3] == (1, 3, 1)
    assert files(media) == sorted(r.key for r in Rendition.objects.all())


@pytest.mark.django_db(transaction=True)
def test_different_files_at_once_get_different_numbers(make_world, monkeypatch):
    monkeypatch.setattr(receiving, "slots", PartSlots(total=6, per_person=6))
    here = make_world()
    results = _at_once(6, lambda i: upload(here.contributor, pictures.jpeg(10 + i)))
    assert [one for one in results if isinstance(one, Exception)] == []
    assert sorted(Image.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


def _at_once(count, work):
    gate, results = threading.Barrier(count), [None] * count

    def run(i):
        gate.wait()
        try:
            results[i] = work(i)
        except (DomainError, DatabaseError) as error:
            results[i] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    return results


def test_files_without_a_row_are_swept_after_a_day(db, make_world, media):
    here = make_world(keep_originals=True)
    image(here.contributor)
    kept = files(media)
    strays = [media / "incoming/tmpabc", media / "incoming/forms/tmpabc"]
    strays += [media / "renditions/9/99-clean.jpg", media / "originals/1/ab/abcd"]
    for path in strays:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"left behind")
    assert sweep_files() == 0  # too young
    for path in [media / f for f in kept] + strays:
        os.utime(path, (time.time() - 90_000,) * 2)
    assert sweep_files() == 4
    assert files(media) == kept


def test_a_commit_that_fails_leaves_no_file(here, media, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("curation.core.stores.Folder.put", full)
    with pytest.raises(OSError, match="No space"):
        upload(here.contributor)
    assert (rows(), files(media)) == ((0, 0, 0, 0), [])


# --- judging


def test_a_decision_is_recorded_and_may_be_changed(here):
    taken = image(here.contributor)
    judge(here.curator, taken)
    judge(here.curator2, taken, "refused", ["watermark", "iconic"])
    judge(here.curator, taken)
    taken.refresh_from_db()
    assert taken.state == "accepted"
    verdicts = ImageVerdict.objects.order_by("pk").values_list("judge_id", "outcome", "reasons")
    assert list(verdicts) == [
        (here.curator.pk, "accepted", []),
        (here.curator2.pk, "refused", ["watermark", "iconic"]),
        (here.curator.pk, "accepted", []),
    ]
    events = AuditEvent.objects.filter(action="image_judge").order_by("pk")
    assert [(e.state_from, e.state_to) for e in events] == [
        ("received", "accepted"),
        ("accepted", "refused"),
        ("refused", "accepted"),
    ]


def test_in_a_blind_benchmark_contributors_do_not_learn_who_judged(here):
    taken = image(here.contributor)
    judge(here.curator, taken)
    withdraw_image(actor=here.curator, image_id=taken.pk, reason="rights", comment="", client_key=uuid.uuid4())

    def names(reader):
        detail = queries.image_detail(reader, taken.pk)
        (verdict,), (takedown,) = detail["verdicts"], detail["takedowns"]
        return [who and who["name"] for who in (verdict["judge"], takedown["by"])]

    assert names(here.contributor) == ["curator 名", "curator 名"]
    version = here.benchmark.protocol
    version.content["tracks"]["package"]["blind"] = True
    blind = ProtocolVersion.objects.create(benchmark=here.benchmark, version=2, name="x", content=version.content)
    Benchmark.objects.update(protocol=blind)
    assert names(here.contributor) == [None, None]
    assert names(here.curator2) == [None, None]
    assert names(here.curator) == names(here.admin) == ["curator 名", "curator 名"]


def test_in_a_blind_benchmark_judges_do_not_learn_who_contributed(here):
    taken = image(here.contributor)
    version = here.benchmark.protocol
    version.content["tracks"]["package"]["blind"] = True

    def contributors(reader):
        [row] = queries.image_page(reader, here.benchmark.slug, page_size=10)["results"]
        shown = (row["contributor"], queries.image_detail(reader, taken.pk)["contributor"])
        return [who and who["name"] for who in shown]

    assert contributors(here.curator) == ["contributor 名"] * 2
    blind = ProtocolVersion.objects.create(benchmark=here.benchmark, version=2, name="x", content=version.content)
    Benchmark.objects.update(protocol=blind)
    assert contributors(here.curator) == [None, None]
    assert contributors(here.contributor) == contributors(here.admin) == ["contributor 名"] * 2


def test_deciding_the_same_again_is_refused_and_a_repeat_is_not(here):
    taken, key = image(here.contributor), uuid.uuid4()
    judge(here.curator, taken, key=key)
    assert judge(here.curator, taken, key=key) == taken.pk
    with pytest.raises(ActionNotAllowed):
        judge(here.curator2, taken)
    with pytest.raises(ClientKeyReused):
        judge(here.curator, taken, "refused", ["iconic"], key=key)
    with pytest.raises(ClientKeyReused):
        judge(here.curator, image(here.contributor, 2), key=key)
    assert ImageVerdict.objects.count() == 1


@pytest.mark.parametrize(
    ("outcome", "reasons"),
    [("refused", []), ("accepted", ["iconic"]), ("refused", ["ugly"]), ("refused", ["iconic", "ugly"])],
)
def test_reasons_have_to_fit(here, outcome, reasons):
    taken = image(here.contributor)
    with pytest.raises(errors.ReasonsRefused):
        judge(here.curator, taken, outcome, reasons)
    taken.refresh_from_db()
    assert (taken.state, ImageVerdict.objects.count()) == ("received", 0)


def test_nobody_judges_or_clears_their_own_by_any_route(here):
    mine = image(here.curator)
    with pytest.raises(OwnWork):
        judge(here.curator, mine)
    with pytest.raises(OwnWork):
        clear(here.curator, mine.pk)
    # Neither by holding another role …
    RoleGrant.objects.create(person=here.curator, benchmark=here.benchmark, role=Role.ADMIN)
    here.curator.grants = None
    with pytest.raises(OwnWork):
        judge(here.curator, mine)
    # … nor past the application: with the true contributor named, or with a false one.
    for contributor in (here.curator.pk, here.contributor.pk):
        with pytest.raises(IntegrityError), transaction.atomic():
            _insert_verdict(mine.pk, here.curator.pk, contributor)
    with pytest.raises(IntegrityError), transaction.atomic():
        Image.objects.filter(pk=mine.pk).update(pii_clear_by=here.curator)
    mine.refresh_from_db()
    assert (mine.state, mine.pii_clear_by, ImageVerdict.objects.count()) == ("received", None, 0)
    assert AuditEvent.objects.count() == 1


def _insert_verdict(*values):
    with connection.cursor() as cursor:
        cursor.execute(
            "insert into curation_imageverdict "
            "(image_id, judge_id, contributor_id, no, outcome, reasons, details, client_key) "
            "values (%s, %s, %s, 1, 'accepted', '{}', '{}', gen_random_uuid())",
            values,
        )
        cursor.execute("set constraints all immediate")


def test_verdicts_stay_as_they_were_written(here):
    taken = image(here.contributor)
    judge(here.curator, taken)
    for change in (lambda: ImageVerdict.objects.update(outcome="refused"), lambda: ImageVerdict.objects.all().delete()):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()
    assert ImageVerdict.objects.get().outcome == "accepted"


def test_who_may_judge(here, make_world):
    taken = image(here.contributor)
    other = make_world(slug="other", prefix="x")
    for who, error in [
        (here.annotator, OperationNotAllowed),
        (here.contributor, OperationNotAllowed),
        (here.senior, OperationNotAllowed),
        (here.owner, OperationNotAllowed),
        (here.stranger, NotFound),
        (other.curator, NotFound),
    ]:
        with pytest.raises(error):
            judge(who, taken)
        with pytest.raises(error):
            clear(who, taken.pk)
    assert ImageVerdict.objects.count() == 0


def test_the_mark_names_who_set_it_first(here):
    taken, key = image(here.contributor), uuid.uuid4()
    clear(here.curator, taken.pk, key)
    clear(here.curator, taken.pk, key)
    clear(here.curator2, taken.pk)
    taken.refresh_from_db()
    assert taken.pii_clear_by_id == here.curator.pk
    assert AuditEvent.objects.filter(action="image_clear").count() == 1
    with pytest.raises(ClientKeyReused):
        clear(here.curator, image(here.contributor, 2), key)
