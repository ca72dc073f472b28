"""Items that two people do independently: which are chosen, where their copies go, who is kept from them."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from annotation.items.errors import CopyByAnotherPerson
from annotation.items.models import DoubleHand, Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages import rules, services
from annotation.packages.errors import DoubleOfAssignee, NoPackageLeft, OnlyOwnDoublesLeft
from annotation.packages.models import Package, PackageItem
from annotation.quality import services as quality
from annotation.seats.models import Seat
from annotation.tallies.models import PictureItems
from annotation.tallies.services import check as check_counts
from curation.core.models import AuditEvent
from tests.annotation.track import command, items_of, review
from tests.boxes import TWO, boxes_world, build, claim, draw, draw_package, other_of_double
from tests.people import Role, person, send, signed_in, told
from tests.shared import shared

BATCHES = [list(range(i, i + 10)) for i in range(1, 101, 10)]
ORIGINS = {number: i for i, batch in enumerate(BATCHES) for number in batch}


def place(most=10, batches=BATCHES, origins=ORIGINS, **rule):
    return rules.place_copies(batches, origins, **({"seed": b"7"} | rule), most=most)


class TestPlacing:
    def test_no_copy_is_beside_its_original_and_batches_get_as_many(self):
        placed = place(20)
        assert len(placed) == 20
        assert all(ORIGINS[number] != batch for number, batch in placed.items())
        assert [list(placed.values()).count(i) for i in range(10)] == [2] * 10

    def test_the_seed_decides(self):
        assert place() == place(origins=dict(reversed(ORIGINS.items())))
        assert place() != place(seed=b"8")

    def test_every_item_is_as_likely(self):
        drawn = [number for n in range(300) for number in place(seed=b"%d" % n)]
        counts = [drawn.count(number) for number in ORIGINS]
        assert 10 < min(counts) < 30 < max(counts) < 55  # 30 each on average

    def test_a_copy_goes_to_another_person_than_its_original(self):
        placed = place(50, people=3)
        assert len(placed) == 50
        assert all(ORIGINS[number] % 3 != batch % 3 for number, batch in placed.items())

    @pytest.mark.parametrize(("batches", "people"), [([], 0), (BATCHES[:1], 0), (BATCHES, 1)])
    def test_without_a_second_batch_or_person_there_are_no_copies(self, batches, people):
        origins = dict.fromkeys(BATCHES[0], 0) if len(batches) == 1 else ORIGINS
        assert place(batches=batches, origins=origins, people=people) == {}

    def test_items_of_later_batches_may_have_copies_now(self):
        placed = place(3, batches=BATCHES[:1])
        assert len(placed) == 3
        assert set(placed.values()) == {0}
        assert not set(placed) & set(BATCHES[0])


@shared
def here():
    """Eight pictures, packages of four, half of the items done twice."""
    return boxes_world()


def copies():
    return Item.objects.filter(copy_no=1)


@pytest.mark.django_db
class TestBuilding:
    def test_a_share_is_done_twice_in_packages_of_others(self, here):
        one, two = build(here)
        assert copies().count() == 4
        sizes = [PackageItem.objects.filter(package=package).count() for package in (one, two)]
        assert sizes == [6, 6]
        for copy in copies():
            assert copy.memberships.get().package_id != other_of_double(copy).memberships.get().package_id
        event = AuditEvent.objects.get(action="package_build")
        assert (event.data["copies"], event.data["items"]) == (4, 12)

    def test_the_share_is_rounded_up(self, here):
        build(with_share(here, 1))
        assert copies().count() == 1

    def test_the_same_seed_makes_the_same_packages_and_a_preview_shows_them(self, here):
        admin = signed_in(here.admin)
        rule = {"kind": "boxes", "seed": 7}
        shown = send(admin, "POST", "benchmarks/cvlue/packages/preview", rule).json()
        assert (shown["chosen"], shown["copies"], shown["waiting"], shown["left_over"]) == (8, 4, 8, 0)
        assert [package["items"] for package in shown["packages"]] == [6, 6]
        again = send(admin, "POST", "benchmarks/cvlue/packages/preview", rule).json()
        assert again == shown
        assert Item.objects.count() == 0

    def test_copies_take_the_last_numbers_and_a_place_in_the_drawn_order(self, here):
        packages = build(here)
        assert sorted(copies().values_list("number", flat=True)) == [9, 10, 11, 12]
        last = [items_of(package)[-1].copy_no for package in packages]
        positions = [[item.copy_no for item in items_of(package)] for package in packages]
        assert last != [1, 1] or positions[0] != [0, 0, 0, 0, 1, 1]

    def test_people_who_get_packages_in_turn_do_not_get_both(self, here):
        others = [person(f"boxer{n}", here.benchmark, Role.ANNOTATOR) for n in range(2)]
        build(here, size=2, assignees=[who.pk for who in others])
        assert copies().count() == 4
        for copy in copies():
            packages = [item.memberships.get().package for item in (copy, other_of_double(copy))]
            assert packages[0].assignee_id != packages[1].assignee_id

    @pytest.mark.parametrize("seed", range(5))
    def test_both_items_of_a_double_are_in_packages_as_soon_as_there_are_two(self, here, seed):
        [first] = build(here, size=2, maximum=1, seed=seed)
        [copy] = copies()  # its original waits for a later package
        assert copy.memberships.get().package == first
        assert not other_of_double(copy).memberships.exists()
        two = build(here, size=2, maximum=2, seed=seed)
        added = copies().exclude(pk=copy.pk)
        assert added.count() == 2
        for item in added:
            packages = {double.memberships.get().package for double in (item, other_of_double(item))}
            assert packages == set(two)

    def test_one_person_for_all_packages_gets_no_copies(self, here):
        build(here, assignees=[here.annotator.pk])
        assert copies().count() == 0

    def test_a_kind_without_such_a_share_has_none(self, here):
        build(here, kind="captions")
        assert copies().count() == 0

    def test_an_item_has_one_copy_at_most(self, here):
        packages = build(here)
        for package in packages:
            command(services.withdraw_package, here.admin, package)
        build(here, client_key=uuid.uuid4(), seed=9)
        places = copies().values_list("image_id", "slot")
        assert len(set(places)) == copies().count()
        for copy in copies():
            both = PackageItem.objects.filter(item__in=[copy, other_of_double(copy)], active=True)
            assert len(set(both.values_list("package_id", flat=True))) == both.count()


def with_share(here, percent):
    """Another version of the protocol, with another share."""
    version = here.benchmark.protocol
    content = {**version.content, "kinds": {**version.content["kinds"]}}
    content["kinds"]["boxes"] = {**content["kinds"]["boxes"], "double_percent": percent}
    newer = type(version).objects.create(
        benchmark=here.benchmark,
        version=version.version + 1,
        name="cvlue",
        source="",
        source_sha256="",
        content=content,
    )
    here.benchmark.protocol = newer
    here.benchmark.save(update_fields=["protocol"])
    return here


def a_double(here):
    """An item and its copy, each in a package."""
    build(here)
    copy = copies().order_by("number").first()
    return other_of_double(copy), copy


def package_of(item):
    return item.memberships.get(active=True).package


@pytest.mark.django_db
class TestKeepingApart:
    def test_who_wrote_one_cannot_claim_the_other(self, here):
        build(here)
        package = claim(here.annotator)
        draw_package(here.annotator, package)
        kept = list(Package.objects.order_by("pk").values()), AuditEvent.objects.count()
        answer = send(signed_in(here.annotator), "POST", "benchmarks/cvlue/packages/claim", {"kind": "boxes"})
        assert (told(answer), answer.json()["params"]) == ((409, "only_own_doubles_left"), {"packages": 1})
        assert (list(Package.objects.order_by("pk").values()), AuditEvent.objects.count()) == kept
        other = person("other", here.benchmark, Role.ANNOTATOR)
        assert claim(other).pk != package.pk
        with pytest.raises(NoPackageLeft):  # now none is free for anybody
            claim(here.annotator)

    def test_the_home_page_counts_only_packages_that_the_person_can_claim(self, here):
        build(here)
        browser = signed_in(here.annotator)

        def available():
            answer = browser.get("/api/v1/benchmarks/cvlue/waiting").json()
            return answer["available"], answer["available_by_kind"]

        assert available() == (2, {"boxes": 2})
        claim(here.annotator)
        assert available() == (0, {})
        other = person("other", here.benchmark, Role.ANNOTATOR)
        answer = signed_in(other).get("/api/v1/benchmarks/cvlue/waiting").json()
        assert answer["available_by_kind"] == {"boxes": 1}

    def test_who_holds_one_cannot_claim_or_be_given_the_other(self, here):
        original, copy = a_double(here)
        one, two = package_of(original), package_of(copy)
        command(services.assign_package, here.admin, one, person=here.annotator.pk)
        with pytest.raises(DoubleOfAssignee):
            command(services.assign_package, here.admin, two, person=here.annotator.pk)
        assert claim(here.annotator).pk == one.pk
        two.refresh_from_db()
        assert (two.state, two.assignee) == ("available", None)

    @pytest.mark.parametrize("way", ["reviewer", "judge", "holder", "inspector", "lapsed_holder"])
    def test_who_saw_one_to_judge_it_cannot_claim_or_be_given_the_other(self, here, way):
        original, copy = a_double(here)
        one, two = package_of(original), package_of(copy)
        writer = person("writer", here.benchmark, Role.ANNOTATOR)
        Package.objects.filter(pk=one.pk).update(state="working", assignee=writer)
        revise(original, writer)
        seen_by(here.annotator, original, one, way, writer)
        kept = list(Package.objects.order_by("pk").values()), AuditEvent.objects.count()
        with pytest.raises(OnlyOwnDoublesLeft):
            claim(here.annotator)
        with pytest.raises(DoubleOfAssignee):
            command(services.assign_package, here.admin, two, person=here.annotator.pk)
        assert (list(Package.objects.order_by("pk").values()), AuditEvent.objects.count()) == kept
        assert claim(person("third", here.benchmark, Role.ANNOTATOR)).pk == two.pk

    def test_the_page_says_why_a_package_cannot_be_assigned(self, here):
        original, copy = a_double(here)
        command(services.assign_package, here.admin, package_of(original), person=here.annotator.pk)
        body = {"person": here.annotator.pk, "revision": 0, "client_key": str(uuid.uuid4())}
        answer = send(signed_in(here.admin), "POST", f"packages/{package_of(copy).pk}/assign", body)
        assert told(answer) == (409, "double_of_assignee")

    def test_the_database_refuses_a_second_hand(self, here):
        original, copy = a_double(here)
        claim(here.annotator)
        with transaction.atomic():
            revise(original, here.annotator)
        with pytest.raises(IntegrityError, match="copy_by_another_person"), transaction.atomic():
            revise(copy, here.annotator)
        assert ItemRevision.objects.filter(item=copy).count() == 0
        hand = DoubleHand.objects.get()
        assert (hand.person_id, hand.copy_no) == (here.annotator.pk, 0)
        revise(original, here.annotator)  # a later revision of one's own item stays possible

    def test_a_person_who_got_both_is_told_at_submission(self, here):
        original, copy = a_double(here)
        Package.objects.filter(pk=package_of(original).pk).update(state="working", assignee=here.annotator)
        draw(here.annotator, original)
        Package.objects.filter(pk=package_of(original).pk).update(state="passed", reviewer=here.senior)
        Package.objects.filter(pk=package_of(copy).pk).update(state="working", assignee=here.annotator)
        with pytest.raises(CopyByAnotherPerson):
            draw(here.annotator, copy)

    def test_a_correction_is_a_hand_too(self, here):
        build(here)
        other = person("other", here.benchmark, Role.ANNOTATOR)
        for who in (here.annotator, other):
            package = claim(who)
            draw_package(who, package)
            command(quality.start_review, here.senior, package)
        copy = copies().order_by("number").first()
        original = other_of_double(copy)
        review(here.senior, original, "correct", content=TWO)
        rows = signed_in(here.admin).get(f"/api/v1/packages/{package_of(original).pk}").json()["items"]
        assert [row["id"] for row in rows if row["is_corrected"]] == [original.pk]
        copy.refresh_from_db()
        with pytest.raises(CopyByAnotherPerson), transaction.atomic():
            review(here.senior, copy, "correct", content=TWO)
        review(here.senior, copy, "return", reasons=["wrong_fact"])

    def test_whoever_wrote_before_the_copy_was_made_is_kept_from_it(self, here):
        build(with_share(here, 0))
        original = Item.objects.order_by("number").first()
        claim(here.annotator)
        revise(original, here.annotator)
        copy = copy_of(original)
        assert list(DoubleHand.objects.values_list("person_id", "copy_no")) == [(here.annotator.pk, 0)]
        with pytest.raises(IntegrityError, match="copy_by_another_person"), transaction.atomic():
            revise(copy, here.annotator)

    def test_items_without_a_copy_leave_no_hands(self, here):
        build(with_share(here, 0))
        claim(here.annotator)
        revise(Item.objects.order_by("number").first(), here.annotator)
        assert not DoubleHand.objects.exists()

    def test_an_item_never_becomes_a_copy(self, here):
        original, _ = a_double(here)
        with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
            Item.objects.filter(pk=original.pk).update(copy_no=1, slot=5)

    def test_only_packages_have_copies(self, here):
        original, _ = a_double(here)
        with pytest.raises(IntegrityError, match="item_copies_are_in_packages"), transaction.atomic():
            copy_of(original, slot=3, copy_no=2)


def seen_by(who, item, package, way, writer):
    """Let a person see an item as those do who judge it."""
    if way == "reviewer":
        Package.objects.filter(pk=package.pk).update(state="reviewing", reviewer=who)
    elif way == "judge":
        Verdict.objects.create(
            item=item,
            revision_no=1,
            author_id=writer.pk,
            judge=who,
            stage="review",
            round=1,
            outcome="accept",
            client_key=uuid.uuid4(),
        )
    else:
        held = {"state": "held", "holder": who, "hold_no": 1, "lease_until": timezone.now()}
        Seat.objects.create(
            benchmark=item.benchmark,
            kind=item.kind,
            purpose="inspection" if way == "inspector" else "review",
            item=item,
            group_id=package.pk,
            round=1,
            no=1,
            rank=1,
            **({"lapsed_holder": who} if way == "lapsed_holder" else held),
        )


def copy_of(original, **values):
    number = Item.objects.order_by("-number").first().number + 1
    fields = {"slot": original.slot, "copy_no": 1} | values
    return Item.objects.create(
        benchmark=original.benchmark, kind=original.kind, image=original.image, number=number, **fields
    )


def revise(item, who):
    item.refresh_from_db()
    ItemRevision.objects.create(
        item=item,
        no=item.revision_no + 1,
        author=who,
        origin="annotator",
        content=TWO,
        protocol=item.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=item.pk).update(revision_no=item.revision_no + 1, state="made")


@pytest.mark.django_db
class TestCounting:
    def test_no_count_has_copies(self, here):
        build(here)
        assert copies().count() == 4
        assert check_counts(repair=False) == []
        assert set(PictureItems.objects.filter(kind="boxes").values_list("items", flat=True)) == {1}
        admin = signed_in(here.admin)
        page = send(admin, "GET", "benchmarks/cvlue/items?kind=boxes").json()
        assert (page["total"], len(page["results"]), page["counts"]["todo"]) == (8, 8, 8)
        board = send(admin, "GET", "benchmarks/cvlue/board").json()
        assert next(row for row in board["kinds"] if row["kind"] == "boxes")["items"]["todo"] == 8

    def test_a_copy_is_found_by_its_label(self, here):
        _, copy = a_double(here)
        page = send(signed_in(here.admin), "GET", f"benchmarks/cvlue/items?search={copy.label}").json()
        assert [row["label"] for row in page["results"]] == [copy.label]


@pytest.mark.django_db(transaction=True)
@pytest.mark.system
def test_fifty_people_at_once_never_do_both():
    here = boxes_world(100, size=5)
    build(here)
    assert copies().count() == 50
    people = [person(f"boxer{n}", here.benchmark, Role.ANNOTATOR) for n in range(50)]
    pairs = [(other_of_double(copy).pk, copy.pk) for copy in copies()]

    def write(n):
        """Try to revise both items of twenty doubles."""
        refused = written = 0
        try:
            for step in range(40):
                pair = pairs[(n * 7 + step // 2 * 3) % len(pairs)]
                item_id = pair[(n + step) % 2]
                try:
                    with transaction.atomic():
                        item = Item.objects.select_for_update(no_key=True).get(pk=item_id)
                        revise(item, people[n])
                    written += 1
                except IntegrityError as error:
                    if "copy_by_another_person" not in str(error):
                        raise
                    refused += 1
        finally:
            connection.close()
        return written, refused

    with ThreadPoolExecutor(50) as pool:
        done = list(pool.map(write, range(50)))
    assert done == [(20, 20)] * 50  # everyone tried both items of twenty doubles
    for original, copy in pairs:
        makers = [
            set(ItemRevision.objects.filter(item=item).values_list("author", flat=True)) for item in (original, copy)
        ]
        assert not makers[0] & makers[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.system
def test_one_person_on_fifty_connections_does_one_of_each_double():
    here = boxes_world(100, size=5)
    build(here)
    pairs = [(other_of_double(copy).pk, copy.pk) for copy in copies()]

    def write(n):
        try:
            with transaction.atomic():
                item = Item.objects.select_for_update(no_key=True).get(pk=pairs[n // 2][n % 2])
                revise(item, here.annotator)
        except IntegrityError as error:
            if "copy_by_another_person" not in str(error):
                raise
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(50) as pool:
        done = list(pool.map(write, range(100)))
    assert done.count(True) == 50
    assert ItemRevision.objects.count() == 50
