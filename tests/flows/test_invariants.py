"""Any sequence of actions by any people leaves the invariants of the house true (hypothesis, stateful).

People hold several roles at once and try things that are not theirs to do; refusals are part of the sequence. After
each step the tables themselves are asked whether anything is true that must never be.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from annotation.items.models import Draft, Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages import queries as package_queries
from annotation.packages import services as packages
from annotation.packages.models import Package, PackageItem
from annotation.quality import queries
from annotation.quality import services as quality
from annotation.seats import queries as seat_queries
from annotation.seats.models import Seat
from annotation.tallies import services as tallies
from annotation.tracks import services as writing
from curation.benchmarks.queries import preset
from curation.core.errors import DomainError
from curation.core.models import AuditEvent
from curation.images import services as images
from curation.images.models import Image
from tests.people import Role, World, person, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

# In the suite a few sequences, always the same; LANTERN_SEQUENCES=300 tries that many others, and shortens those that
# break something.
EXAMPLES = int(os.environ.get("LANTERN_SEQUENCES", "3"))
STEPS = 25
SHRINK = EXAMPLES > 20  # by hand there is time to find the shortest sequence
WRITERS = ["annotator", "annotator2", "both"]
JUDGES = ["senior", "senior2", "curator", "curator2", "both", "annotator"]
who_writes, who_judges = st.sampled_from(WRITERS), st.sampled_from(JUDGES)
which = st.integers(0, 5)


class Track(RuleBasedStateMachine):
    """A benchmark of six pictures in packages of two."""

    pooled = False

    def __init__(self) -> None:
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        content = captions_protocol(size=2, sample_percent=50)
        content["kinds"]["captions"]["skip_reasons"] = [{"code": "blurred", "name": names("模糊")}]
        content["images"] = preset("cvlue").content["images"]
        pool = {"people": 2, "held": 3} if self.pooled else None
        content["tracks"]["package"] |= {"review_pool": pool, "inspection_pool": pool}
        self.here: World = world(content)
        everything = (Role.ANNOTATOR, Role.SENIOR, Role.CURATOR)
        self.people = {name: getattr(self.here, name) for name in {*WRITERS, *JUDGES} - {"both"}}
        self.people["both"] = person("both", self.here.benchmark, *everything)
        accepted_pictures(self.here.benchmark, self.here.contributor, self.here.curator, 6)
        self.text = self.steps = 0
        self._build()

    def teardown(self) -> None:
        self.counts_are_true()
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    @initialize(depth=st.integers(0, 3))
    def begin_further_on(self, depth: int) -> None:
        """A package that is handed over, reviewed or passed, so that short sequences see every stage."""
        if depth > 0:
            self.write_and_submit("annotator", 0)
        if depth > 1:
            self.accept_all("senior", 0)
            self.accept_all("senior2", 0)
        if depth > 2:
            self.pass_all("curator", 0)
            self.pass_all("curator2", 0)

    def _try(self, call: Any, **given: Any) -> Any:
        """Do it, or be refused for a reason that the application foresaw; then nothing is half done."""
        with suppress(DomainError), transaction.atomic():
            return call(**given)
        return None

    def _build(self) -> None:
        self._try(
            packages.build_packages,
            actor=self.here.admin,
            benchmark_slug="cvlue",
            kind="captions",
            size=2,
            seed=1,
            complete_only=False,
            client_key=uuid.uuid4(),
        )

    def _package(self, n: int, *states: str) -> Package | None:
        """One of the packages in some states, where there are any; so that most steps do something."""
        found = list(Package.objects.filter(state__in=states).order_by("pk") or Package.objects.order_by("pk"))
        return found[n % len(found)] if found else None

    def _command(self, call: Any, who: str, package: Package | None, **more: Any) -> None:
        if package is not None:
            given = {"package_id": package.pk, "revision": package.revision, "client_key": uuid.uuid4()}
            self._try(call, actor=self.people.get(who, self.here.admin), **given, **more)

    def _item(self, n: int, *package_states: str) -> Item | None:
        places = PackageItem.objects.filter(active=True).select_related("item").order_by("pk")
        found = list(places.filter(package__state__in=package_states) or places)
        return found[n % len(found)].item if found else None

    # --- the annotator's side ---

    @rule()
    def build(self) -> None:
        self._build()

    @rule(who=who_writes)
    def claim(self, who: str) -> None:
        self._try(packages.claim_package, actor=self.people[who], benchmark_slug="cvlue", kind="captions")

    @rule(who=who_writes, n=which)
    def assign(self, who: str, n: int) -> None:
        self._command(packages.assign_package, "admin", self._package(n, "available"), person=self.people[who].pk)

    @rule(n=which)
    def take_back(self, n: int) -> None:
        self._command(packages.revoke_assignment, "admin", self._package(n, "working", "returned", "assigned"))

    @rule(n=which)
    def withdraw_package(self, n: int) -> None:
        self._command(packages.withdraw_package, "admin", self._package(n, "available", "assigned"))

    @rule(who=who_writes, n=which)
    def resume(self, who: str, n: int) -> None:
        self._command(packages.resume_package, who, self._package(n, "returned"))

    @rule(who=who_writes, n=which, stale=st.booleans())
    def save_draft(self, who: str, n: int, stale: bool) -> None:
        if item := self._item(n, "working"):
            self.text += 1
            self._try(
                writing.save_draft,
                actor=self.people[who],
                item_id=item.pk,
                base_no=item.revision_no,
                seq=1 if stale else self.text,
                content=five_captions(self.text % 100),
            )

    @rule(who=who_writes, n=which, late=st.booleans())
    def submit(self, who: str, n: int, late: bool) -> None:
        if item := self._item(n, "working"):
            self.text += 1
            self._try(
                writing.submit_item,
                actor=self.people[who],
                item_id=item.pk,
                base_no=max(0, item.revision_no - late),
                content=five_captions(self.text % 100),
                reasons={},
                client_key=uuid.uuid4(),
            )

    @rule(who=who_writes, n=which)
    def skip(self, who: str, n: int) -> None:
        if item := self._item(n, "working"):
            given = {"base_no": item.revision_no, "reasons": ["blurred"], "comment": "", "client_key": uuid.uuid4()}
            self._try(packages.skip_item, actor=self.people[who], item_id=item.pk, **given)

    @rule(who=who_writes, n=which)
    def tick_everything(self, who: str, n: int) -> None:
        if package := self._package(n, "working"):
            members = PackageItem.objects.filter(package=package, active=True, item__revision_no__gt=0)
            ticks = dict(members.values_list("item_id", "item__revision_no"))
            self._command(packages.self_check, who, package, ticks=ticks)

    @rule(who=who_writes, n=which)
    def submit_package(self, who: str, n: int) -> None:
        self._command(quality.submit_package_for_review, who, self._package(n, "working"))

    @rule(who=who_writes, n=which)
    def write_and_submit(self, who: str, n: int) -> None:
        """The common way, at once, so that sequences reach further."""
        self._try(packages.claim_package, actor=self.people[who], benchmark_slug="cvlue", kind="captions")
        package = self._package(n, "working")
        if package is None or package.assignee is None:
            return
        who = next(name for name, p in self.people.items() if p == package.assignee)
        for item in list(Item.objects.filter(memberships__package=package, memberships__active=True)):
            if item.state in ("todo", "returned"):
                self.text += 1
                given = {"content": five_captions(self.text % 100), "reasons": {}, "client_key": uuid.uuid4()}
                given |= {"base_no": item.revision_no}
                self._try(writing.submit_item, actor=self.people[who], item_id=item.pk, **given)
        members = PackageItem.objects.filter(package=package, active=True, item__state="made")
        ticks = dict(members.values_list("item_id", "item__revision_no"))
        self._command(packages.self_check, who, package, ticks=ticks)
        self._command(quality.submit_package_for_review, who, package)

    # --- judging ---

    @rule(who=who_judges, n=which)
    def start_review(self, who: str, n: int) -> None:
        self._command(quality.start_review, who, self._package(n, "handed_over"))

    def _review(self, who: str, item: Item, outcome: str, no: int | None = None) -> None:
        self.text += 1
        self._try(
            quality.review_item,
            actor=self.people[who],
            item_id=item.pk,
            revision_no=item.revision_no if no is None else no,
            outcome=outcome,
            reasons=["wrong_fact"] if outcome == "return" else [],
            comment="",
            content=five_captions(self.text % 100) if outcome == "correct" else None,
            overrides={},
            client_key=uuid.uuid4(),
        )

    @rule(who=who_judges, n=which, outcome=st.sampled_from(["accept", "accept", "correct", "return"]))
    def review(self, who: str, n: int, outcome: str) -> None:
        if item := self._item(n, "reviewing"):
            self._review(who, item, outcome)

    @rule(who=who_judges, n=which)
    def accept_all(self, who: str, n: int) -> None:
        """A reviewer goes through what lies before them, as people do."""
        self.claim_seats(who, "review", 3)
        self._command(quality.start_review, who, self._package(n, "handed_over"))
        if package := self._package(n, "reviewing"):
            for item in list(Item.objects.filter(memberships__package=package, memberships__active=True)):
                self._review(who, item, "accept")
            package.refresh_from_db()
            self._command(quality.complete_review, who, package)

    @rule(who=who_judges, n=which)
    def pass_all(self, who: str, n: int) -> None:
        """An inspector finds everything right."""
        self.claim_seats(who, "inspection", 3)
        if package := self._package(n, "inspecting"):
            for item in list(Item.objects.filter(memberships__package=package, memberships__active=True)):
                self._inspect(who, item, "right")
            package.refresh_from_db()
            self._command(quality.complete_inspection, who, package)

    @rule(who=who_judges, n=which, agree=st.booleans())
    def decide_skip(self, who: str, n: int, agree: bool) -> None:
        found = list(Item.objects.filter(state="skipped").order_by("pk"))
        if found:
            given = {"agree": agree, "reasons": ["wrong_fact"], "comment": "", "client_key": uuid.uuid4()}
            self._try(quality.decide_skip, actor=self.people[who], item_id=found[n % len(found)].pk, **given)

    @rule(who=who_judges, n=which)
    def complete_review(self, who: str, n: int) -> None:
        self._command(quality.complete_review, who, self._package(n, "reviewing"))

    def _inspect(self, who: str, item: Item, outcome: str) -> None:
        given = {"revision_no": item.revision_no, "reasons": [], "comment": "看", "client_key": uuid.uuid4()}
        self._try(quality.inspect_item, actor=self.people[who], item_id=item.pk, outcome=outcome, **given)

    @rule(who=who_judges, n=which, outcome=st.sampled_from(["right", "right", "wrong"]))
    def inspect(self, who: str, n: int, outcome: str) -> None:
        if item := self._item(n, "inspecting"):
            self._inspect(who, item, outcome)

    @rule(who=who_judges, n=which)
    def complete_inspection(self, who: str, n: int) -> None:
        self._command(quality.complete_inspection, who, self._package(n, "inspecting"))

    def claim_seats(self, who: str, purpose: str, count: int) -> None:
        given = {"benchmark_slug": "cvlue", "purpose": purpose, "kind": "captions", "count": count}
        self._try(quality.claim_seats, actor=self.people[who], **given)

    @rule(who=who_judges, purpose=st.sampled_from(["review", "inspection"]), count=st.integers(1, 5))
    def take_seats(self, who: str, purpose: str, count: int) -> None:
        self.claim_seats(who, purpose, count)

    @rule(who=who_judges, purpose=st.sampled_from(["review", "inspection"]), n=which)
    def release_seats(self, who: str, purpose: str, n: int) -> None:
        seats = list(Seat.objects.filter(state="held").values_list("pk", flat=True))[: n + 1]
        self._try(
            quality.release_seats, actor=self.people[who], benchmark_slug="cvlue", purpose=purpose, seat_ids=seats
        )

    @rule(n=which)
    def lapse(self, n: int) -> None:
        held = list(Seat.objects.filter(state="held").order_by("pk").values_list("pk", flat=True))[: n + 1]
        Seat.objects.filter(pk__in=held).update(lease_until=timezone.now() - timedelta(seconds=1))
        quality.sweep_pools()

    # --- pictures come and go underneath ---

    @rule(n=which)
    def withdraw_picture(self, n: int) -> None:
        found = list(Image.objects.filter(state="accepted").order_by("pk"))
        if len(found) > 2:
            given = {"reason": "rights", "comment": "", "client_key": uuid.uuid4()}
            self._try(images.withdraw_image, actor=self.here.admin, image_id=found[n % len(found)].pk, **given)
            packages.follow_pictures()

    @rule()
    def restore_picture(self) -> None:
        for image in Image.objects.filter(state="withdrawn")[:1]:
            given = {"reason": "", "comment": "", "client_key": uuid.uuid4()}
            self._try(images.restore_image, actor=self.here.admin, image_id=image.pk, **given)
            packages.follow_pictures()

    # --- what must be true ---

    def none(self, statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            assert cursor.fetchall() == []

    @invariant()
    def numbers_that_are_kept_are_those_of_a_full_count(self) -> None:
        assert tallies.check(repair=False) == []

    @invariant()
    def nobody_judges_what_they_wrote(self) -> None:
        self.none(
            "select v.id from annotation_verdict v join annotation_itemrevision r"
            " on r.item_id = v.item_id and r.no <= v.revision_no and r.author_id = v.judge_id"
        )
        self.none(
            "select s.id from annotation_seat s join annotation_itemhand h"
            " on h.item_id = s.item_id and h.person_id = s.holder_id and h.hand = 'maker' where s.state = 'held'"
        )
        self.none("select id from annotation_package where assignee_id = reviewer_id")

    @invariant()
    def everybody_writes_one_package_and_every_item_lies_in_one(self) -> None:
        self.none(
            "select assignee_id from annotation_package where state = 'working'"
            " group by benchmark_id, kind, assignee_id having count(*) > 1"
        )
        self.none("select item_id from annotation_packageitem where active group by item_id having count(*) > 1")
        self.none(
            "select p.id from annotation_package p where p.state = 'withdrawn' and exists"
            " (select 1 from annotation_packageitem m where m.package_id = p.id and m.active)"
        )

    @invariant()
    def revisions_have_no_gaps(self) -> None:
        self.none(
            "select i.id from annotation_item i left join annotation_itemrevision r on r.item_id = i.id group by i.id"
            " having count(r.id) <> i.revision_no or coalesce(max(r.no), 0) <> i.revision_no"
        )

    @invariant()
    def what_is_accepted_was_vouched_for(self) -> None:
        """The accepted revision was reviewed, or written by who reviewed, in a package that passed its inspection."""
        self.none(
            "select i.id from annotation_item i where i.state = 'accepted' and (i.accepted_no <> i.revision_no"
            " or not exists (select 1 from annotation_packageitem m join annotation_inspection n"
            "   on n.package_id = m.package_id and n.outcome = 'passed' where m.item_id = i.id)"
            " or not exists (select 1 from annotation_verdict v where v.item_id = i.id and v.stage = 'review' and"
            "   (v.revision_no = i.accepted_no and v.outcome = 'accept'"
            "    or v.revision_no = i.accepted_no - 1 and v.outcome = 'correct'))"
            " or exists (select 1 from annotation_verdict v where v.item_id = i.id and v.revision_no = i.accepted_no"
            "   and v.outcome in ('return', 'wrong')))"
        )

    @invariant()
    def states_of_items_fit_their_packages(self) -> None:
        self.none(
            "select p.id, p.state, i.state from annotation_package p join annotation_packageitem m"
            " on m.package_id = p.id and m.active join annotation_item i on i.id = m.item_id where"
            " p.state = 'passed' and i.state <> 'accepted'"
            " or p.state = 'handed_over' and i.state not in ('made', 'skipped')"
            " or p.state = 'reviewing' and i.state not in ('made', 'skipped', 'returned')"
            " or p.state = 'inspecting' and i.state <> 'made'"
            " or p.state <> 'passed' and i.state in ('accepted', 'excluded')"
        )

    @invariant()
    def every_move_has_its_line_in_the_log(self) -> None:
        for model, name in ((Package, "package"), (Item, "item"), (Image, "image")):
            events = AuditEvent.objects.filter(target_type=name).exclude(state_to="").order_by("pk")
            stand: dict[int, str] = {}
            for target, before, after in events.values_list("target_id", "state_from", "state_to"):
                assert stand.get(target, before) == before, (name, target)
                stand[target] = after
            first = {Package: "available", Item: "todo", Image: "accepted"}[model]
            for pk, state in model.objects.values_list("pk", "state"):
                assert stand.get(pk, first) == state, (name, pk)

    @invariant()
    def seats_stay_within_their_number(self) -> None:
        self.none(
            "select item_id from annotation_seat group by item_id, purpose, round having count(*) > 2"
            " or count(distinct holder_id) <> count(holder_id)"
        )
        self.none(
            "select holder_id from annotation_seat where state = 'held' group by holder_id, purpose having count(*) > 3"
        )
        # An open seat is at an item of a package that is being judged just so, and a stage with none left is over.
        self.none(
            "select s.id from annotation_seat s join annotation_package p on p.id = s.group_id where s.state <> 'done'"
            " and not (p.round = s.round and p.state = case s.purpose when 'review' then 'reviewing'"
            " else 'inspecting' end)"
        )
        quality.sweep_pools()
        self.none(
            "select p.id from annotation_package p where p.pooled and p.state in ('reviewing', 'inspecting')"
            " and not exists (select 1 from annotation_seat s where s.group_id = p.id and s.state <> 'done')"
        )

    @invariant()
    def answers_count_what_the_tables_hold(self) -> None:
        self.steps += 1
        if self.steps % 8 == 0:  # the dearest to ask; once more at the end
            self.counts_are_true()

    def counts_are_true(self) -> None:
        page = package_queries.package_page(self.here.admin, "cvlue", page_size=100)
        assert page["total"] == len(page["results"]) == Package.objects.count()
        for row in page["results"]:
            members = PackageItem.objects.filter(package_id=row["id"], active=True)
            assert row["size"] == members.count()
            assert row["written"] == members.exclude(item__state__in=["todo", "returned"]).count()
        seats = dict.fromkeys(Seat.State.values, 0)
        for row in seat_queries.counts(self.here.benchmark.pk):
            seats = {state: n + row[state] for state, n in seats.items()}
        assert seats == {state: Seat.objects.filter(state=state).count() for state in seats}
        told = queries.quality(self.here.admin, "cvlue", None)
        assert sum(row["written"] for row in told["people"]) == (
            ItemRevision.objects.filter(origin="annotator").values("item", "author").distinct().count()
        )
        assert all(row["accepted_first"] <= row["judged"] <= row["written"] for row in told["people"])
        assert sum(row["judged"] for row in told["judges"]) <= Verdict.objects.count()

    @invariant()
    def drafts_rest_on_revisions_that_exist(self) -> None:
        self.none(
            "select d.item_id from annotation_draft d join annotation_item i on i.id = d.item_id"
            " where d.base_no > i.revision_no"
        )
        assert all(draft.seq >= 1 for draft in Draft.objects.all())


class Pools(Track):
    """The same where review and inspection come from pools of two."""

    pooled = True


@pytest.mark.parametrize("machine", [Track, Pools])
def test_any_sequence_leaves_the_invariants_true(machine):
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=EXAMPLES < 20,
            database=None,
            phases=(Phase.generate, Phase.shrink) if SHRINK else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
