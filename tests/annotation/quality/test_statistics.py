"""What the page of acceptance and agreement tells, by hand from a few verdicts."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import ItemRevision
from annotation.packages import services as packages
from annotation.quality import queries
from annotation.quality import services as quality
from annotation.quality.models import QualitySheet
from annotation.quality.rules import clopper_pearson
from curation.benchmarks.models import ProtocolVersion
from curation.core.errors import OperationNotAllowed
from tests.annotation import track
from tests.annotation.quality.test_pools import claim, pooled_world, submitted_package
from tests.annotation.teams import draw, judge, made, member, peer_world, send_back, star, submit
from tests.people import World
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here() -> World:
    """Four items: one returned and written anew, one corrected, two accepted; all drawn, one of them wrong."""
    here = track.new_world(sample_percent=100)
    package = track.submitted_package(here)
    track.command(quality.start_review, here.senior, package)
    first, second, *others = track.items_of(package)
    track.review(here.senior, first, "return", reasons=["names_a_person"])
    track.review(here.senior, second, "correct", content=five_captions(50), reasons=["wrong_fact"])
    for item in others:
        track.review(here.senior, item)
    track.command(quality.complete_review, here.senior, package)
    track.command(packages.resume_package, here.annotator, package)
    track.write(here.annotator, package, {first.pk: 60})
    track.tick_and_submit(here.annotator, package)
    track.command(quality.start_review, here.senior2, package)
    first.refresh_from_db()
    track.review(here.senior2, first)
    track.command(quality.complete_review, here.senior2, package)
    for item_id in track.drawn(package):
        track.inspect(here.curator, item_id, "wrong" if item_id == others[0].pk else "right", reasons=["wrong_fact"])
    here.package = track.command(quality.complete_inspection, here.curator, package)
    return here


def by_name(rows, key="people"):
    return {row["person"]["name"]: row for row in rows[key]}


def test_writers_are_measured_by_their_first_judged_revision(here):
    [row] = queries.quality(here.admin, "cvlue", None)["people"]
    # Five revisions of four items; of the four first ones one was returned, one corrected, one found wrong later.
    assert row == {
        "person": {"id": here.annotator.pk, "name": "annotator 名"},
        "mine": False,
        "kind": "captions",
        "written": 4,
        "submitted": 5,
        "judged": 4,
        "accepted_first": 1,
        "rate": 0.25,
        "interval": clopper_pearson(1, 4)._asdict(),
        "median_active_ms": None,
        "returned_reasons": [{"code": "wrong_fact", "n": 2}, {"code": "names_a_person", "n": 1}],
    }


def test_judges_are_measured_by_later_verdicts(here):
    told = by_name(queries.quality(here.admin, "cvlue", "captions"), "judges")
    assert {name: (r["stage"], r["judged"], r["checked"], r["upheld"]) for name, r in told.items()} == {
        # Returned one, corrected one (its next revision was right), accepted two of which one was wrong.
        "senior 名": ("review", 4, 3, 2),
        "senior2 名": ("review", 1, 1, 1),
        "curator 名": ("inspection", 4, 0, 0),
    }
    assert (told["curator 名"]["rate"], told["curator 名"]["interval"]) == (None, None)


def test_review_and_inspection_agree_on_what_both_saw(here):
    [row] = queries.quality(here.admin, "cvlue", None)["agreement"]
    # Three accepted revisions were inspected: two right, one wrong; the corrected one had no second judgement.
    assert (row["between"], row["items"], row["observed"]) == ("review-inspection", 3, pytest.approx(2 / 3))
    assert {m["name"]: m["value"] for m in row["measures"]}["cohen_kappa"] == pytest.approx(0)


def test_the_newest_packages_are_listed(here):
    assert queries.quality(here.admin, "cvlue", None)["packages"] == [
        {"id": here.package.pk, "label": "cap-pkg-0001", "right": 3, "n": 4, "rate": 0.75}
    ]


def test_annotators_see_themselves_alone(here):
    mine = queries.quality(here.annotator, "cvlue", None)
    assert [(r["mine"], r["written"]) for r in mine["people"]] == [(True, 4)]
    assert (mine["judges"], mine["agreement"], len(mine["packages"])) == ([], [], 1)
    other = queries.quality(here.annotator2, "cvlue", None)
    assert (other["people"], other["judges"], other["agreement"], other["packages"]) == ([], [], [], [])
    with pytest.raises(OperationNotAllowed):
        queries.quality(here.contributor, "cvlue", None)


def test_names_are_hidden_where_the_protocol_is_blind(here):
    version = here.benchmark.protocol
    content = version.content
    content["tracks"]["package"]["blind"] = True
    here.benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=here.benchmark, version=2, name="test", source_sha256="1" * 64, content=content
    )
    here.benchmark.save(update_fields=["protocol"])
    told = queries.quality(here.senior, "cvlue", None)
    assert told["blind"]
    assert [r["person"] for r in told["people"]] == [None]
    assert [(r["person"] is None, r["mine"]) for r in told["judges"]] == [(False, True), (True, False), (True, False)]
    assert by_name(queries.quality(here.admin, "cvlue", None), "judges").keys() == {
        "senior 名",
        "senior2 名",
        "curator 名",
    }


def test_the_median_time_is_of_those_measured(here):
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        cursor.execute("alter table annotation_itemrevision disable trigger user")
    for n, revision in enumerate(ItemRevision.objects.filter(origin="annotator").order_by("pk")[:3], 1):
        ItemRevision.objects.filter(pk=revision.pk).update(active_ms=n * 1_000)
    [row] = queries.quality(here.admin, "cvlue", None)["people"]
    assert row["median_active_ms"] == 2_000


def test_the_same_few_statements_for_any_number_of_rows(here):
    with CaptureQueriesContext(connection) as asked:
        queries.quality(here.admin, "cvlue", None)
    assert len(asked) <= 13


@pytest.fixture
def large(monkeypatch):
    """From here on any work is much."""
    monkeypatch.setattr("annotation.quality.queries.statistics.INLINE", 0)


def shown(person, slug, kind=None):
    """An answer without its time."""
    return queries.quality(person, slug, kind) | {"as_of": None}


@pytest.mark.parametrize("world", ["packages", "teams"])
def test_kept_figures_equal_those_computed_for_the_view(world, request, monkeypatch):
    here = request.getfixturevalue("here") if world == "packages" else teams_work()
    slug = here.benchmark.slug
    kinds = (None, "captions", "vqa")
    live = [shown(here.admin, slug, kind) for kind in kinds]
    monkeypatch.setattr("annotation.quality.queries.statistics.INLINE", 0)
    assert quality.keep_figures() == 1
    assert [shown(here.admin, slug, kind) for kind in kinds] == live
    assert queries.quality(here.admin, slug)["as_of"] == QualitySheet.objects.get().computed_at
    assert {len(one["people"]) for one in live[:2]} != {0}


def test_a_sheet_is_kept_only_of_much_work_and_only_where_something_happened(here, monkeypatch):
    assert (quality.keep_figures(), QualitySheet.objects.count()) == (0, 0)
    monkeypatch.setattr("annotation.quality.queries.statistics.INLINE", 3)
    assert queries.quality(here.admin, "cvlue", None)["as_of"] is None  # none was kept yet
    assert [quality.keep_figures(), quality.keep_figures()] == [1, 0]
    before = QualitySheet.objects.get().computed_at
    track.command(packages.resume_package, here.annotator, here.package)
    assert quality.keep_figures() == 1
    assert QualitySheet.objects.get().computed_at > before
    monkeypatch.setattr("annotation.quality.queries.statistics.INLINE", 4)
    assert queries.quality(here.admin, "cvlue", None)["as_of"] is None


def test_annotators_see_their_current_figures_beside_kept_ones(here, large):
    quality.keep_figures()
    mine = queries.quality(here.annotator, "cvlue", None)
    assert (mine["as_of"], [(r["mine"], r["written"]) for r in mine["people"]]) == (None, [(True, 4)])


def test_kept_figures_read_no_verdicts(here, large):
    quality.keep_figures()
    with CaptureQueriesContext(connection) as asked:
        queries.quality(here.admin, "cvlue", None)
    assert len(asked) <= 6
    assert not [q for q in asked if "with verdicts" in " ".join(q["sql"].split()).lower()[:400]]


def test_colleagues_in_a_pool_are_compared_once_the_review_is_over():
    here = pooled_world(people=2, pictures=4)
    submitted_package(here)
    items = claim(here.senior)
    for n, item in enumerate(items):
        track.review(here.senior, item, "return" if n == 0 else "accept", comment="看")
    assert queries.quality(here.senior2, "cvlue", None)["people"][0]["judged"] == 0
    for n, item in enumerate(claim(here.senior2)):
        track.review(here.senior2, item, "return" if n < 2 else "accept", comment="看")
    [row] = queries.quality(here.admin, "cvlue", None)["agreement"]
    assert (row["between"], row["items"], row["observed"]) == ("review-review", 4, 0.75)
    # accept-accept 2, return-return 1, accept-return 1: observed 0.75, chance 3/4 * 2/4 + 1/4 * 2/4 = 0.5.
    assert {m["name"]: m["value"] for m in row["measures"]}["cohen_kappa"] == pytest.approx(0.5)


def teams_work() -> World:
    """Ann wrote three items: one starred, one edited and then starred, one returned; the first failed a spot check."""
    here = peer_world(percent=100)
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    first, second, third = (made(ann) for _ in range(3))
    star(ben, first)
    star(cay, submit(ben, second, 77))
    submit(ann, send_back(cay, third), 78)
    draw(here.curator)
    judge(here.curator, first, "wrong")
    judge(here.curator, second)
    return here


def test_stars_returns_and_edits_of_teams_are_counted_by_person_and_kind():
    here = teams_work()
    rows = queries.quality(here.admin, "cvqa", "captions")["judges"]
    told = {
        (r["person"]["name"], r["stage"]): ({o["code"]: o["n"] for o in r["outcomes"]}, r["judged"], r["checked"])
        for r in rows
    }
    ben, cay = (member(here, name).name for name in ("ben", "cay"))
    assert told == {
        (ben, "peer"): ({"edit": 1, "star": 1}, 2, 1),
        (cay, "peer"): ({"return": 1, "star": 1}, 2, 1),
        (here.curator.name, "spot_check"): ({"right": 1, "wrong": 1}, 2, 0),
    }
    assert {r["person"]["name"]: r["upheld"] for r in rows if r["stage"] == "peer"} == {ben: 0, cay: 1}


def test_writers_of_teams_are_measured_by_what_colleagues_did_with_their_items():
    here = teams_work()
    told = by_name(queries.quality(here.admin, "cvqa", "captions"))
    ann, ben = (told[member(here, name).name] for name in ("ann", "ben"))
    assert (ann["written"], ann["judged"], ann["accepted_first"]) == (3, 3, 0)
    assert ann["returned_reasons"] == [{"code": "wrong_fact", "n": 2}]
    assert (ben["written"], ben["judged"], ben["accepted_first"]) == (1, 1, 1)


def test_finishing_an_item_that_was_returned_is_no_verdict():
    here = peer_world()
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    submit(cay, send_back(ben, made(ann)), 78)
    rows = queries.quality(here.admin, "cvqa", None)["judges"]
    assert [(r["person"]["name"], r["judged"]) for r in rows] == [(ben.name, 1)]


def test_members_see_their_own_validations_alone():
    here = teams_work()
    for name, outcomes in (("ben", ["edit", "star"]), ("cay", ["return", "star"])):
        [row] = queries.quality(member(here, name), "cvqa", None)["judges"]
        assert (row["mine"], [o["code"] for o in row["outcomes"]]) == (True, outcomes)


def test_the_same_few_statements_for_items_of_teams():
    here = teams_work()
    queries.quality(here.admin, "cvqa", None)  # reads the protocol, which never changes
    with CaptureQueriesContext(connection) as asked:
        queries.quality(here.admin, "cvqa", None)
    assert len(asked) <= 13
