"""Review, draw, inspection: what passes, what comes back, and who may never judge."""

import hashlib
import uuid

import pytest
from django.db import DatabaseError, transaction

from annotation.items.errors import ReasonNeeded, ReasonUnknown
from annotation.items.models import Item, ItemHand, ItemRevision
from annotation.judging.errors import AlreadyJudged
from annotation.judging.models import Verdict
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import queries
from annotation.quality import services as quality
from annotation.quality.errors import (
    ContentNeeded,
    InspectionTaken,
    NotAllInspected,
    NotAllReviewed,
    NotDrawn,
)
from annotation.quality.models import Inspection
from annotation.tracks import services as writing
from annotation.tracks.queries import history
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed, OwnWork, StaleRow
from curation.core.models import AuditEvent
from curation.people.models import RoleGrant
from tests.annotation import track
from tests.people import Role
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return track.new_world()


def give(person, benchmark, *roles):
    """More roles for somebody."""
    for role in roles:
        RoleGrant.objects.create(person=person, benchmark=benchmark, role=role)
    person.grants = None
    return person


def states(package):
    return sorted(i.state for i in track.items_of(package))


class TestReview:
    @shared
    def package(self, here):
        package = track.submitted_package(here)
        return track.command(quality.start_review, here.senior, package)

    def test_taking_it_names_the_reviewer(self, here, package):
        assert (package.state, package.reviewer, package.revision) == ("reviewing", here.senior, 3)

    def test_its_verdicts_are_hidden_from_the_author_until_it_ends(self, here, package):
        """The reviewer may still change them."""
        item, *others = track.items_of(package)
        track.review(here.senior, item, "return", reasons=["names_a_person"], comment="第二句写了人名")

        def seen(person):
            sheet = {row["id"]: row["review"] for row in queries.sheet(person, package.pk)["items"]}
            return sheet[item.pk], [v["outcome"] for v in history(person, item.pk)["verdicts"]]

        assert seen(here.annotator) == (None, [])
        verdict, outcomes = seen(here.senior)
        assert (verdict["outcome"], outcomes) == ("return", ["return"])
        for other in others:
            track.review(here.senior, other)
        track.command(quality.complete_review, here.senior, package)
        verdict, outcomes = seen(here.annotator)
        assert (verdict["outcome"], verdict["comment"], outcomes) == ("return", "第二句写了人名", ["return"])

    def test_every_item_needs_a_verdict(self, here, package):
        items = track.items_of(package)
        track.review(here.senior, items[0])
        with pytest.raises(NotAllReviewed) as refused:
            track.command(quality.complete_review, here.senior, package)
        assert refused.value.params["missing"] == [{"item_id": i.pk, "position": n} for n, i in enumerate(items[1:], 2)]
        package.refresh_from_db()
        assert (package.state, Inspection.objects.count()) == ("reviewing", 0)

    def test_returned_items_have_their_reasons(self, here, package):
        items = track.items_of(package)
        track.review(here.senior, items[0], "return", reasons=["names_a_person"], comment="第二句写了人名")
        for item in items[1:]:
            track.review(here.senior, item)
        track.command(quality.complete_review, here.senior, package)
        assert (package.state, states(package)) == ("returned", ["made", "made", "made", "returned"])
        assert PackageItem.objects.get(item=items[0]).sent_back == {
            "stage": "review",
            "reasons": ["names_a_person"],
            "comment": "第二句写了人名",
            "by_id": here.senior.pk,
        }
        told = queries.sheet(here.annotator, package.pk)["items"][0]["returned"]
        assert told["by"] == {"id": here.senior.pk, "name": "senior 名"}
        assert PackageItem.objects.get(item=items[0]).checked_no is None
        assert Inspection.objects.count() == 0

    def test_after_rework_only_the_changed_item_is_reviewed_again(self, here, package):
        items = track.items_of(package)
        track.review(here.senior, items[0], "return", comment="重写")
        for item in items[1:]:
            track.review(here.senior, item)
        track.command(quality.complete_review, here.senior, package)
        track.command(packages.resume_package, here.annotator, package)
        track.write(here.annotator, package, {items[0].pk: 99})
        assert PackageItem.objects.get(item=items[0]).sent_back is None
        track.tick_and_submit(here.annotator, package)
        track.command(quality.start_review, here.senior, package)
        assert [m.item_id for m in queries.undecided_items(package)] == [items[0].pk]
        # The second round opens with what was returned and why; the other items were not.
        first, *others = queries.sheet(here.senior, package.pk)["items"]
        assert first["earlier"] == {
            "revision_no": 1,
            "content": five_captions(items[0].number),
            "stage": "review",
            "verdict": {
                "outcome": "return",
                "reasons": [],
                "comment": "重写",
                "round": 1,
                "judge": {"id": here.senior.pk, "name": "senior 名"},
            },
        }
        assert first["content"] == five_captions(99)
        assert [other["earlier"] for other in others] == [None, None, None]
        track.review(here.senior, track.items_of(package)[0])
        reviewed = queries.reviewed_item(here.senior, (package.pk, items[0].pk))
        assert reviewed["earlier"] == first["earlier"]
        track.command(quality.complete_review, here.senior, package)
        assert (package.state, package.round) == ("inspecting", 2)

    def test_a_correction_judges_one_revision_and_writes_the_next(self, here, package):
        item = track.items_of(package)[0]
        track.review(here.senior, item, "correct", content=five_captions(77))
        item.refresh_from_db()
        assert (item.revision_no, item.state) == (2, "made")
        newest = ItemRevision.objects.get(item=item, no=2)
        assert (newest.author, newest.origin, newest.content) == (here.senior, "senior", five_captions(77))
        verdict = Verdict.objects.get(item=item)
        assert (verdict.revision_no, verdict.outcome, verdict.author_id) == (1, "correct", here.annotator.pk)
        with pytest.raises(OwnWork):
            track.review(here.senior, item)
        assert Verdict.objects.count() == 1

    def test_a_repeat_is_one_verdict(self, here, package):
        item, key = track.items_of(package)[0], uuid.uuid4()
        assert track.review(here.senior, item, client_key=key) == track.review(here.senior, item, client_key=key)
        with pytest.raises(ClientKeyReused):
            track.review(here.senior, item, "return", comment="x", client_key=key)
        with pytest.raises(AlreadyJudged):
            track.review(here.senior, item)
        assert Verdict.objects.count() == 1

    def test_bad_judgements_change_nothing(self, here, package):
        item = track.items_of(package)[0]
        with pytest.raises(ReasonNeeded):
            track.review(here.senior, item, "return")
        with pytest.raises(ReasonUnknown):
            track.review(here.senior, item, "return", reasons=["because"])
        with pytest.raises(ContentNeeded):
            track.review(here.senior, item, "correct")
        with pytest.raises(StaleRow):
            track.review(here.senior, item, revision_no=2)
        assert (Verdict.objects.count(), ItemRevision.objects.filter(item=item).count()) == (0, 1)

    def test_only_its_reviewer(self, here, package):
        item = track.items_of(package)[0]
        with pytest.raises(NotFound):
            track.review(here.senior2, item)
        for who, refusal in (
            (here.annotator, OperationNotAllowed),
            (here.curator, OperationNotAllowed),
            (here.stranger, NotFound),
        ):
            with pytest.raises(refusal):
                track.review(who, item)
        with pytest.raises(NotFound):
            track.command(quality.complete_review, here.senior2, package)
        assert Verdict.objects.count() == 0


class TestInspection:
    @shared
    def here(self):
        return track.new_world(pictures=40, size=40)

    def test_the_draw_can_be_checked_by_anyone(self, here):
        package = track.inspecting(here)
        inspection = Inspection.objects.get(package=package)
        draw = inspection.draw
        assert (draw.population, draw.size, inspection.errors_allowed, len(draw.seed)) == (
            40,
            10,
            0,
            16,
        )
        ids = [i.pk for i in track.items_of(package)]
        order = sorted(ids, key=lambda i: hashlib.sha256(bytes(draw.seed) + str(i).encode()).digest())
        assert track.drawn(package) == order[:10]
        assert track.drawn(package, "corrected") == []

    def test_corrected_items_join_as_their_own_stratum(self, here):
        package = track.submitted_package(here)
        track.command(quality.start_review, here.senior, package)
        items = track.items_of(package)
        for item in items:
            if item.number <= 5:
                track.review(here.senior, item, "correct", content=five_captions(100 + item.number))
            else:
                track.review(here.senior, item)
        track.command(quality.complete_review, here.senior, package)
        corrected = {i.pk for i in items if i.number <= 5}
        assert len(track.drawn(package)) == 10
        assert set(track.drawn(package, "corrected")) == corrected - set(track.drawn(package))

    def test_all_right_passes_and_accepts_every_item(self, here):
        package = track.inspecting(here)
        for item_id in track.drawn(package):
            track.inspect(here.curator, item_id)
        track.command(quality.complete_inspection, here.curator, package)
        assert package.state == "passed"
        assert set(Item.objects.values_list("state", "accepted_no")) == {("accepted", 1)}
        assert AuditEvent.objects.filter(action="item_accept", state_to="accepted").count() == 40
        told = queries.inspection_page(here.admin, package.pk)["inspection"]
        assert (told["errors"], told["outcome"], told["inspector"]["id"]) == (0, "passed", here.curator.pk)
        assert (told["interval"]["method"], told["interval"]["right"], told["interval"]["high"]) == (
            "hypergeometric",
            10,
            1.0,
        )
        assert [p["right_percent"] for p in told["pass_chances"]] == [90, 95, 97, 98]

    def test_one_error_of_ten_comes_back_and_a_fresh_draw_follows(self, here):
        package = track.inspecting(here)
        first = Inspection.objects.get(package=package)
        wrong, *others = track.drawn(package)
        track.inspect(here.curator, wrong, "wrong", reasons=["wrong_fact"])
        for item_id in others:
            track.inspect(here.curator, item_id)
        track.command(quality.complete_inspection, here.curator, package)
        assert (package.state, Item.objects.filter(state="accepted").count()) == ("returned", 0)
        assert list(Item.objects.filter(state="returned").values_list("pk", flat=True)) == [wrong]
        assert PackageItem.objects.get(item_id=wrong).sent_back["reasons"] == ["wrong_fact"]
        track.command(packages.resume_package, here.annotator, package)
        track.write(here.annotator, package, {wrong: 999})
        track.tick_and_submit(here.annotator, package)
        track.inspecting(here, package)
        second = Inspection.objects.get(package=package, round=2)
        assert bytes(second.draw.seed) != bytes(first.draw.seed)
        assert (package.state, second.draw.size, second.outcome) == ("inspecting", 10, "")

    def test_an_allowed_error_leaves_the_package_and_waits_to_be_packed_anew(self):
        here = track.new_world(pictures=40, size=40, pass_over_percent=80)
        package = track.inspecting(here)
        assert Inspection.objects.get(package=package).errors_allowed == 1
        wrong, *others = track.drawn(package)
        track.inspect(here.curator, wrong, "wrong", comment="数错了")
        for item_id in others:
            track.inspect(here.curator, item_id)
        track.command(quality.complete_inspection, here.curator, package)
        assert (package.state, Item.objects.filter(state="accepted").count()) == ("passed", 39)
        item = Item.objects.get(pk=wrong)
        assert (item.state, item.accepted_no, PackageItem.objects.get(item=item).active) == ("returned", None, False)
        made, _ = packages.build_packages(
            actor=here.admin,
            benchmark_slug="cvlue",
            kind="captions",
            size=None,
            seed=1,
            complete_only=False,
            client_key=uuid.uuid4(),
        )
        member = PackageItem.objects.get(package=made[0])
        assert (member.item_id, member.sent_back["comment"]) == (wrong, "数错了")

    def test_it_is_not_over_before_everything_drawn_is_judged(self, here):
        package = track.inspecting(here)
        first, *others = track.drawn(package)
        track.inspect(here.curator, first)
        with pytest.raises(NotAllInspected) as refused:
            track.command(quality.complete_inspection, here.curator, package)
        assert refused.value.params["missing"] == others
        package.refresh_from_db()
        assert package.state == "inspecting"

    def test_one_inspector_and_only_drawn_items(self, here):
        package = track.inspecting(here)
        drawn = track.drawn(package)
        track.inspect(here.curator, drawn[0])
        with pytest.raises(InspectionTaken):
            track.inspect(here.curator2, drawn[1])
        undrawn = next(i.pk for i in track.items_of(package) if i.pk not in drawn)
        with pytest.raises(NotDrawn):
            track.inspect(here.curator, undrawn)
        with pytest.raises(ActionNotAllowed):
            track.command(quality.complete_review, here.senior, package)
        assert Verdict.objects.filter(stage="inspection").count() == 1

    @pytest.mark.parametrize("outcome", ["right", "wrong"])
    def test_a_reason_that_the_protocol_does_not_list_is_refused(self, here, outcome):
        package = track.inspecting(here)
        item_id, before = track.drawn(package)[0], AuditEvent.objects.count()
        with pytest.raises(ReasonUnknown) as refused:
            track.inspect(here.curator, item_id, outcome, reasons=["wrong_fact", "because"])
        assert (refused.value.code, refused.value.params) == ("reason_unknown", {"reason": "because"})
        self.assert_not_judged(package, before)

    def test_wrong_needs_a_reason_or_a_comment(self, here):
        package = track.inspecting(here)
        item_id, before = track.drawn(package)[0], AuditEvent.objects.count()
        with pytest.raises(ReasonNeeded) as refused:
            track.inspect(here.curator, item_id, "wrong")
        assert (refused.value.code, refused.value.params) == ("reason_needed", {})
        self.assert_not_judged(package, before)
        track.inspect(here.curator, item_id, "wrong", comment="数错了")
        verdict = Verdict.objects.get(stage="inspection")
        assert (verdict.item_id, verdict.outcome, verdict.reasons, verdict.comment) == (item_id, "wrong", [], "数错了")

    def assert_not_judged(self, package, events):
        assert not Verdict.objects.filter(stage="inspection").exists()
        assert Inspection.objects.get(package=package).inspector is None
        assert AuditEvent.objects.count() == events

    def test_the_draw_is_hidden_from_those_it_judges_until_the_result(self, here):
        package = track.inspecting(here)
        give(here.annotator, here.benchmark, Role.CURATOR)
        for who in (here.annotator, here.senior):
            with pytest.raises(OwnWork):
                queries.inspection_page(who, package.pk)
        with pytest.raises(NotFound):
            queries.inspection_page(here.annotator2, package.pk)
        for item_id in track.drawn(package):
            track.inspect(here.curator, item_id)
        first = track.drawn(package)[0]
        assert [v["stage"] for v in history(here.senior, first)["verdicts"]] == ["review"]
        track.command(quality.complete_inspection, here.curator, package)
        assert queries.inspection_page(here.annotator, package.pk)["inspection"]["outcome"] == "passed"
        assert [v["stage"] for v in history(here.senior, first)["verdicts"]] == ["review", "inspection"]


class TestNoOneJudgesTheirOwnWork:
    """Every route to judging one's own work: service and database both refuse."""

    @shared
    def here(self):
        here = track.new_world(size=2)
        everything = (Role.ANNOTATOR, Role.SENIOR, Role.CURATOR)
        held = {Role.ANNOTATOR: here.annotator, Role.SENIOR: here.senior}
        for role in everything:
            for own, who in held.items():
                if role is not own:
                    give(who, here.benchmark, role)
        return here

    def test_the_author_cannot_take_the_review(self, here):
        package = track.submitted_package(here)
        with pytest.raises(OwnWork):
            track.command(quality.start_review, here.annotator, package)
        package.refresh_from_db()
        assert (package.state, package.reviewer) == ("handed_over", None)

    def test_the_author_cannot_review_or_inspect_an_item(self, here):
        package = track.submitted_package(here)
        track.command(quality.start_review, here.senior, package)
        with pytest.raises(OwnWork):
            track.review(here.annotator, track.items_of(package)[0])
        for item in track.items_of(package):
            track.review(here.senior, item)
        track.command(quality.complete_review, here.senior, package)
        for who in (here.annotator, here.senior):
            with pytest.raises(OwnWork):
                track.inspect(who, track.drawn(package)[0])
            with pytest.raises(OwnWork):
                track.command(quality.complete_inspection, who, package)
        assert Verdict.objects.filter(stage="inspection").count() == 0

    def test_a_senior_never_reviews_what_they_corrected(self, here):
        package = track.submitted_package(here)
        track.command(quality.start_review, here.senior, package)
        first, second = track.items_of(package)
        track.review(here.senior, first, "correct", content=five_captions(50))
        track.review(here.senior, second, "return", comment="改")
        track.command(quality.complete_review, here.senior, package)
        track.command(packages.resume_package, here.annotator, package)
        # The annotator rewrites the senior's correction too, so it is open again.
        first.refresh_from_db()
        writing.submit_item(
            actor=here.annotator,
            item_id=first.pk,
            base_no=first.revision_no,
            content=five_captions(51),
            reasons={},
            client_key=uuid.uuid4(),
        )
        track.write(here.annotator, package, {second.pk: 52})
        track.tick_and_submit(here.annotator, package)
        with pytest.raises(OwnWork):
            track.command(quality.start_review, here.senior, package)
        track.command(quality.start_review, here.senior2, package)
        assert package.reviewer == here.senior2

    @shared
    def written(self, here):
        package = track.submitted_package(here)
        return package, track.items_of(package)[0]

    def insert(self, here, package, item, *, judge, author, no=1, stage="review", outcome="accept"):
        with transaction.atomic():
            Verdict.objects.create(
                item=item,
                revision_no=no,
                author_id=author,
                judge=judge,
                stage=stage,
                package_id=package.pk,
                round=1,
                outcome=outcome,
                client_key=uuid.uuid4(),
            )

    @pytest.mark.parametrize(
        ("stage", "outcome"), [("review", "accept"), ("inspection", "right"), ("peer", "x"), ("panel", "x")]
    )
    def test_the_database_refuses_ones_own_revision(self, here, written, stage, outcome):
        package, item = written
        with pytest.raises(DatabaseError, match="verdict_not_own"):
            self.insert(
                here, package, item, judge=here.annotator, author=here.annotator.pk, stage=stage, outcome=outcome
            )
        assert Verdict.objects.count() == 0

    def test_the_database_refuses_a_forged_author(self, here, written):
        package, item = written
        with pytest.raises(DatabaseError, match="verdict_of_author"):
            self.insert(here, package, item, judge=here.annotator, author=here.annotator2.pk)
        assert Verdict.objects.count() == 0

    def test_the_database_refuses_judging_a_later_revision_of_ones_own_item(self, here, written):
        package, item = written
        ItemRevision.objects.create(
            item=item,
            no=2,
            author=here.senior,
            origin="senior",
            content=five_captions(3),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        with pytest.raises(DatabaseError, match="item_hand_nobody_judges_own"):
            self.insert(here, package, item, judge=here.annotator, author=here.senior.pk, no=2)
        assert Verdict.objects.count() == 0

    def test_the_database_refuses_a_reviewer_who_is_the_assignee(self, here, written):
        package, _ = written
        with pytest.raises(DatabaseError, match="package_not_own_review"), transaction.atomic():
            Package.objects.filter(pk=package.pk).update(reviewer=here.annotator)

    def test_the_one_who_judged_may_write_the_next_revision(self, here, written):
        package, item = written
        self.insert(here, package, item, judge=here.senior, author=here.annotator.pk, outcome="correct")
        ItemRevision.objects.create(
            item=item,
            no=2,
            author=here.senior,
            origin="senior",
            content=five_captions(3),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        hands = ItemHand.objects.filter(item=item, person=here.senior).order_by("pk")
        assert [(h.hand, h.span.lower, h.span.upper) for h in hands] == [("judge", 1, 2), ("maker", 2, None)]
