"""Judging from pools: who gets what, when a stage ends, and that each judges for themselves."""

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import queries
from annotation.quality import services as quality
from annotation.quality.errors import PoolNotInProtocol
from annotation.quality.models import Inspection
from annotation.seats.errors import NothingLeft, PoolEmpty, SeatNotHeld
from annotation.seats.models import Seat
from annotation.tracks.queries import history
from curation.core.errors import ActionNotAllowed, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.images.models import Image, Takedown
from curation.people.models import Notice
from tests.annotation import track
from tests.people import Role, person, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db


def pooled_world(*, people=1, inspectors=None, pictures=3, **protocol):
    """A benchmark that reviews from a pool, with a package built."""
    content = captions_protocol(size=pictures, **protocol)
    settings = content["tracks"]["package"]
    settings["review_pool"] = {"people": people, "held": 5}
    settings["inspection_pool"] = {"people": inspectors, "held": 5} if inspectors else None
    content["kinds"]["captions"]["skip_reasons"] = [{"code": "blurred", "name": names("模糊")}]
    made = world(content)
    accepted_pictures(made.benchmark, made.contributor, made.curator, pictures)
    packages.build_packages(
        actor=made.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=None,
        seed=7,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    return made


def submitted_package(here):
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    track.write(here.annotator, package)
    return submit_again(here, package)


def submit_again(here, package):
    ticks = {i.pk: i.revision_no for i in track.items_of(package) if i.state == "made"}
    track.command(packages.self_check, here.annotator, package, ticks=ticks)
    return track.command(quality.submit_package_for_review, here.annotator, package)


def claim(who, count=5, purpose="review"):
    taken = quality.claim_seats(actor=who, benchmark_slug="cvlue", purpose=purpose, kind="captions", count=count)
    return [s.item for s in Seat.objects.filter(pk__in=taken).select_related("item").order_by("rank")]


def decide(who, item, *, agree, **more):
    given = {"reasons": [], "comment": "", "client_key": uuid.uuid4()} | more
    return quality.decide_skip(actor=who, item_id=item.pk, agree=agree, **given)


def skip(here, package, *items):
    Item.objects.filter(pk__in=[i.pk for i in items]).update(state="skipped")
    said = {"reasons": ["blurred"], "comment": "", "by_id": here.annotator.pk, "at": "2026-11-21T00:00:00Z"}
    PackageItem.objects.filter(package=package, item__in=items).update(skipped=said)


def seats(package, purpose="review"):
    rows = Seat.objects.filter(group_id=package.pk, purpose=purpose, round=package.round).order_by("rank")
    return list(rows.values_list("item_id", "no", "state"))


class TestReview:
    def test_handing_over_opens_a_seat_for_each_item_and_person(self):
        here = pooled_world(people=2)
        package = submitted_package(here)
        assert (package.state, package.pooled, package.reviewer) == ("reviewing", True, None)
        ids = [i.pk for i in track.items_of(package)]
        assert seats(package) == [(i, no, "free") for no in (1, 2) for i in ids]
        moves = AuditEvent.objects.filter(target_type="package", target_id=package.pk).order_by("pk")
        assert [(e.action, e.state_to) for e in moves][-2:] == [
            ("package_hand_over", "handed_over"),
            ("package_hand_over", "reviewing"),
        ]

    def test_the_last_seat_draws(self):
        here = pooled_world()
        package = submitted_package(here)
        items = claim(here.senior)
        for item in items[:-1]:
            track.review(here.senior, item)
        package.refresh_from_db()
        assert package.state == "reviewing"
        track.review(here.senior, items[-1])
        package.refresh_from_db()
        assert (package.state, package.reviewer) == ("inspecting", None)
        inspection = Inspection.objects.get(package=package)
        assert (inspection.draw.population, inspection.draw.size) == (3, 1)

    def test_one_return_returns_the_item_with_all_reasons_and_only_changes_are_judged_again(self):
        here = pooled_world(people=2)
        package = submitted_package(here)
        for n, who in enumerate((here.senior, here.senior2)):
            for i, item in enumerate(claim(who)):
                if i == 0:
                    track.review(who, item, "return", reasons=["wrong_fact", "names_a_person"][n:], comment=f"第{n}次")
                else:
                    track.review(who, item)
        package.refresh_from_db()
        first, *others = track.items_of(package)
        assert (package.state, [i.state for i in (first, *others)]) == ("returned", ["returned", "made", "made"])
        assert PackageItem.objects.get(item=first).sent_back == {
            "stage": "review",
            "reasons": ["wrong_fact", "names_a_person"],
            "comment": "第0次\n第1次",
            "by_id": here.senior.pk,
        }
        track.command(packages.resume_package, here.annotator, package)
        track.write(here.annotator, package, {first.pk: 99})
        submit_again(here, package)
        assert seats(package) == [(first.pk, 1, "free"), (first.pk, 2, "free")]
        for who in (here.senior, here.senior2):
            [item] = claim(who)
            track.review(who, item)
        package.refresh_from_db()
        assert (package.state, package.round) == ("inspecting", 2)

    def test_a_correction_is_judged_anew_by_the_other(self):
        here = pooled_world(people=2, pictures=1)
        package = submitted_package(here)
        [item] = claim(here.senior)
        track.review(here.senior, item)
        [item] = claim(here.senior2)
        track.review(here.senior2, item, "correct", content=five_captions(77))
        package.refresh_from_db()
        assert (package.state, seats(package)) == ("reviewing", [(item.pk, 1, "free"), (item.pk, 2, "done")])
        with pytest.raises(NothingLeft):
            claim(here.senior2)
        [item] = claim(here.senior)
        item.refresh_from_db()
        track.review(here.senior, item)
        package.refresh_from_db()
        assert package.state == "inspecting"
        assert sorted(Verdict.objects.values_list("judge__username", "revision_no", "outcome")) == [
            ("senior", 1, "accept"),
            ("senior", 2, "accept"),
            ("senior2", 1, "correct"),
        ]

    def test_a_return_of_what_was_corrected_meanwhile_no_longer_counts(self):
        here = pooled_world(people=2, pictures=1)
        package = submitted_package(here)
        [item] = claim(here.senior)
        track.review(here.senior, item, "return", comment="不对")
        [item] = claim(here.senior2)
        track.review(here.senior2, item, "correct", content=five_captions(77))
        [item] = claim(here.senior)
        item.refresh_from_db()
        track.review(here.senior, item)
        package.refresh_from_db()
        assert package.state == "inspecting"

    def test_no_one_judges_without_a_seat_or_their_own_work(self):
        here = pooled_world()
        here.annotator = person("both", here.benchmark, Role.ANNOTATOR, Role.SENIOR)
        package = submitted_package(here)
        item = track.items_of(package)[0]
        with pytest.raises(SeatNotHeld):
            track.review(here.senior, item)
        with pytest.raises(NothingLeft):
            claim(here.annotator)
        with pytest.raises(OwnWork):
            track.review(here.annotator, item)
        with pytest.raises(OperationNotAllowed):
            claim(here.curator)
        with pytest.raises(NotFound):
            claim(here.stranger)
        with pytest.raises(NotFound):
            track.command(quality.complete_review, here.senior, package)
        with pytest.raises(ActionNotAllowed):
            track.command(quality.start_review, here.senior, package)
        assert (Verdict.objects.count(), {s for *_, s in seats(package)}) == (0, {"free"})

    def test_a_late_verdict_counts_until_someone_else_claims_the_seat(self):
        here = pooled_world(pictures=2)
        submitted_package(here)
        first, second = claim(here.senior)
        Seat.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert quality.sweep_pools() == {"freed": 2, "dropped": 0, "ended": 0}
        [taken] = claim(here.senior2, count=1)
        assert taken == first
        with pytest.raises(SeatNotHeld):
            track.review(here.senior, first)
        track.review(here.senior, second)
        with pytest.raises(PoolEmpty):
            claim(here.senior)
        assert Verdict.objects.get().item == second

    def test_colleagues_verdicts_stay_hidden_until_the_end(self):
        here = pooled_world(people=2, pictures=1)
        package = submitted_package(here)
        [item] = claim(here.senior)
        track.review(here.senior, item, "return", comment="不对")
        claim(here.senior2)
        shown = queries.pool(here.senior2, "cvlue", "review", "captions")["items"][0]
        assert (shown["review"], shown["seat"]) == (None, Seat.objects.get(state="held").pk)
        assert queries.sheet(here.senior2, package.pk)["items"][0]["review"] is None
        assert history(here.senior2, item.pk)["verdicts"] == []
        assert queries.sheet(here.senior, package.pk)["items"][0]["review"]["outcome"] == "return"
        track.review(here.senior2, item)
        assert queries.sheet(here.senior2, package.pk)["items"][0]["review"]["outcome"] == "return"
        assert len(history(here.senior2, item.pk)["verdicts"]) == 2

    def test_items_of_withdrawn_pictures_hold_nothing_up(self):
        here = pooled_world(pictures=2)
        package = submitted_package(here)
        first, second = claim(here.senior)
        track.review(here.senior, first)
        given = {"no": 1, "by": here.admin, "state_from": "accepted", "reason": "rights", "client_key": uuid.uuid4()}
        Takedown.objects.create(image=second.image, **given)
        Image.objects.filter(pk=second.image_id).update(state="withdrawn")
        packages.follow_pictures()
        assert quality.sweep_pools()["ended"] == 1
        package.refresh_from_db()
        assert (package.state, seats(package)) == ("inspecting", [(first.pk, 1, "done")])
        last = AuditEvent.objects.filter(target_type="package").latest("pk")
        assert (last.action, last.actor_id) == ("package_review_complete", None)

    def test_the_sweep_that_returns_a_package_notifies_its_annotator(self):
        here = pooled_world(pictures=2)
        package = submitted_package(here)
        first, second = claim(here.senior)
        track.review(here.senior, first, "return", comment="重写")
        Item.objects.filter(pk=second.pk).update(state="excluded", excluded_for="picture")
        assert quality.sweep_pools() == {"freed": 0, "dropped": 1, "ended": 1}
        package.refresh_from_db()
        assert package.state == "returned"
        notice = Notice.objects.get()
        assert (notice.person_id, notice.code, notice.actor_id) == (here.annotator.pk, "package_returned", None)
        assert (notice.target_type, notice.target_id, notice.params) == (
            "package",
            package.pk,
            {"package": package.label},
        )

    def test_a_protocol_without_a_pool_has_none(self):
        here = track.new_world()
        with pytest.raises(PoolNotInProtocol):
            claim(here.senior)
        with pytest.raises(NotFound):
            claim(here.senior, purpose="peer")
        package = track.submitted_package(here)
        assert (package.state, Seat.objects.count()) == ("handed_over", 0)


class TestInspection:
    def inspecting(self, **more):
        here = pooled_world(pictures=4, sample_percent=50, **more)
        package = submitted_package(here)
        for item in claim(here.senior):
            track.review(here.senior, item)
        package.refresh_from_db()
        assert package.state == "inspecting"
        return here, package

    def test_the_draw_opens_seats_in_its_order(self):
        here, package = self.inspecting(inspectors=2)
        ids = track.drawn(package)
        assert seats(package, "inspection") == [(i, no, "free") for no in (1, 2) for i in ids]
        assert [i.pk for i in claim(here.curator, purpose="inspection")] == ids

    def test_the_last_seat_passes_the_package(self):
        here, package = self.inspecting(inspectors=2)
        for who in (here.curator, here.curator2):
            for item in claim(who, purpose="inspection"):
                track.inspect(who, item.pk)
        package.refresh_from_db()
        assert (package.state, [i.state for i in track.items_of(package)]) == ("passed", ["accepted"] * 4)
        assert Inspection.objects.get(package=package).inspector is None

    def test_one_wrong_verdict_makes_an_item_wrong(self):
        here, package = self.inspecting(inspectors=2)
        for who, outcome in ((here.curator, "right"), (here.curator2, "wrong")):
            for n, item in enumerate(claim(who, purpose="inspection")):
                track.inspect(who, item.pk, "right" if n else outcome, comment="看")
        package.refresh_from_db()
        wrong = track.drawn(package)[0]
        assert (package.state, Item.objects.get(state="returned").pk) == ("returned", wrong)
        assert Inspection.objects.get().outcome == "returned"
        assert PackageItem.objects.get(item_id=wrong).sent_back["by_id"] == here.curator2.pk

    def test_inspectors_neither_complete_it_nor_see_each_other(self):
        here, package = self.inspecting(inspectors=2)
        items = claim(here.curator, purpose="inspection")
        with pytest.raises(SeatNotHeld):
            track.inspect(here.curator2, items[0].pk)
        track.inspect(here.curator, items[0].pk, "wrong", comment="看")
        with pytest.raises(SeatNotHeld):  # it is done
            track.inspect(here.curator, items[0].pk, "right")
        with pytest.raises(ActionNotAllowed):
            track.command(quality.complete_inspection, here.curator, package)
        shown = queries.inspection_page(here.curator2, package.pk)
        assert (shown["inspection"]["judged"], shown["inspection"]["errors"]) == (0, 0)
        assert queries.inspection_page(here.curator, package.pk)["inspection"]["errors"] == 1

    def test_whoever_reviewed_in_it_gets_no_seat(self):
        here = pooled_world(inspectors=1)
        here.senior = person("twofold", here.benchmark, Role.SENIOR, Role.CURATOR)
        package = submitted_package(here)
        for item in claim(here.senior):
            track.review(here.senior, item)
        with pytest.raises(NothingLeft):
            claim(here.senior, purpose="inspection")
        with pytest.raises(OwnWork):
            track.inspect(here.senior, track.drawn(package)[0])


class TestSkipped:
    """Decisions about skipped items, with one reviewer and in a pool."""

    @pytest.fixture(params=["one reviewer", "a pool"])
    def stage(self, request):
        """A package in review with its first item skipped, and who decides."""
        here = pooled_world(people=2) if request.param == "a pool" else track.new_world(pictures=3, size=3)
        package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
        first, *_ = track.items_of(package)
        skip(here, package, first)
        track.write(here.annotator, package)
        submit_again(here, package)
        if not package.pooled:
            track.command(quality.start_review, here.senior, package)
        else:
            claim(here.senior)
        return here, package, first

    def finish(self, here, package):
        package.refresh_from_db()
        if not package.pooled:
            for item in track.items_of(package):
                if item.state == "made":
                    track.review(here.senior, item)
            return track.command(quality.complete_review, here.senior, package)
        for item in (i for i in track.items_of(package) if i.state == "made"):
            track.review(here.senior, item)
        for item in claim(here.senior2):
            track.review(here.senior2, item)
        package.refresh_from_db()
        return package

    def test_agreeing_takes_it_out_of_the_package(self, stage):
        here, package, first = stage
        assert decide(here.senior, first, agree=True) == (package.pk, first.pk, True)
        first.refresh_from_db()
        assert (first.state, [i.pk == first.pk for i in track.items_of(package)]) == ("excluded", [False, False])
        assert not Seat.objects.filter(item=first).exclude(state="done").exists()
        event = AuditEvent.objects.get(action="item_skip_decide")
        assert (event.state_from, event.state_to, event.data["agree"]) == ("skipped", "excluded", True)
        self.finish(here, package)
        assert (package.state, Inspection.objects.get().draw.population) == ("inspecting", 2)

    def test_insisting_sends_it_back(self, stage):
        here, package, first = stage
        decide(here.senior, first, agree=False, comment="看得清")
        first.refresh_from_db()
        assert first.state == "returned"
        assert PackageItem.objects.get(item=first).sent_back == {
            "stage": "review",
            "reasons": [],
            "comment": "看得清",
            "by_id": here.senior.pk,
        }
        self.finish(here, package)
        assert (package.state, Inspection.objects.count()) == ("returned", 0)
        track.command(packages.resume_package, here.annotator, package)
        track.write(here.annotator, package)
        submit_again(here, package)
        assert [m.item_id for m in queries.undecided_items(package)] == [first.pk]

    def test_it_is_missing_until_decided(self, stage):
        here, package, first = stage
        assert first.pk in [m.item_id for m in queries.undecided_items(package)]
        with pytest.raises((ActionNotAllowed, StaleRow)):
            track.review(here.senior, first, revision_no=1)

    def test_a_repeat_decides_once(self, stage):
        here, package, first = stage
        key = uuid.uuid4()
        assert [decide(here.senior, first, agree=True, client_key=key) for _ in range(2)] == [
            (package.pk, first.pk, True)
        ] * 2
        assert AuditEvent.objects.filter(action="item_skip_decide").count() == 1

    def test_only_who_reviews_and_only_what_was_skipped(self, stage):
        here, package, first = stage
        second = track.items_of(package)[1]
        with pytest.raises((NotFound, SeatNotHeld)):
            decide(here.senior2, first, agree=True)
        with pytest.raises(OperationNotAllowed):
            decide(here.annotator, first, agree=True)
        with pytest.raises(ActionNotAllowed):
            decide(here.senior, second, agree=True)
        first.refresh_from_db()
        assert first.state == "skipped"


@pytest.mark.parametrize("pooled", [True, False])
def test_a_package_of_which_everything_was_rightly_skipped_dissolves(pooled):
    here = pooled_world(pictures=2) if pooled else track.new_world(pictures=2, size=2)
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    skip(here, package, *track.items_of(package))
    track.command(quality.submit_package_for_review, here.annotator, package)
    if not pooled:
        track.command(quality.start_review, here.senior, package)
    else:
        claim(here.senior)
    for item in track.items_of(package):
        decide(here.senior, item, agree=True)
    if not pooled:
        track.command(quality.complete_review, here.senior, package)
    package.refresh_from_db()
    assert (package.state, Inspection.objects.count()) == ("withdrawn", 0)
    assert Package.objects.get().state == "withdrawn"


def test_what_was_rightly_skipped_stays_out_when_its_picture_comes_back():
    here = track.new_world(pictures=2, size=2)
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    first, second = track.items_of(package)
    skip(here, package, first, second)
    track.command(quality.submit_package_for_review, here.annotator, package)
    track.command(quality.start_review, here.senior, package)
    decide(here.senior, first, agree=True)
    for item in (first, second):
        given = {"by": here.admin, "state_from": "accepted", "reason": "rights"}
        Takedown.objects.create(image=item.image, no=1, client_key=uuid.uuid4(), **given)
        Takedown.objects.create(image=item.image, no=2, restored=True, client_key=uuid.uuid4(), **given)
    Item.objects.filter(pk=second.pk).update(state="excluded", excluded_for="picture")
    PackageItem.objects.filter(item=second).update(active=False)
    assert packages.follow_pictures() == 1
    assert [Item.objects.get(pk=i.pk).state for i in (first, second)] == ["excluded", "todo"]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_finish_the_last_seats_at_once_one_ends_the_review():
    here = pooled_world(people=2, pictures=1)
    package = submitted_package(here)
    judges = (here.senior, here.senior2)
    [item] = claim(here.senior)
    claim(here.senior2)
    ready = threading.Barrier(2)

    def judge(who):
        try:
            with transaction.atomic():
                ready.wait(20)
                track.review(who, item)
                time.sleep(0.1)  # the other's verdict comes while this one is not committed
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(judge, judges))
    package.refresh_from_db()
    assert (package.state, Inspection.objects.count(), Verdict.objects.count()) == ("inspecting", 1, 2)


def test_a_kind_may_have_a_pool_of_its_own():
    content = captions_protocol(size=2)
    content["kinds"]["captions"]["package"] = {"review_pool": {"people": 1, "held": 2}}
    here = world(content)
    accepted_pictures(here.benchmark, here.contributor, here.curator, 2)
    packages.build_packages(actor=here.admin, benchmark_slug="cvlue", kind="captions", client_key=uuid.uuid4())
    package = submitted_package(here)
    assert (package.state, package.pooled) == ("reviewing", True)
    assert len(claim(here.senior)) == 2
    waiting = queries.waiting(here.senior, "cvlue")["pools"]
    assert waiting == [{"purpose": "review", "kind": "captions", "free": 0, "mine": 2}]
    with pytest.raises(PoolNotInProtocol):
        claim(here.curator, purpose="inspection")


def test_a_pool_of_a_track_is_not_one_of_a_kind_in_another_track():
    content = captions_protocol(size=2)
    content["tracks"]["package"]["review_pool"] = {"people": 1, "held": 2}
    content["kinds"]["captions"]["track"] = "peer"
    here = world(content)
    with pytest.raises(PoolNotInProtocol):
        claim(here.senior)
    assert queries.waiting(here.senior, "cvlue")["pools"] == []
