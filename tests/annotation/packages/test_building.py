"""Packages by rule: how batches are drawn, what a preview says, what a build makes."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.items.models import Item
from annotation.packages import access, rules
from annotation.packages.models import Package, PackageItem
from annotation.tallies.models import PictureItems
from annotation.tallies.services import check as check_counts
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import preset
from curation.core.models import AuditEvent
from curation.images.models import Image
from curation.people.models import Notice
from curation.taxonomy.models import Category
from tests.people import Role, key, person, send, signed_in, told, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.shared import shared

PREVIEW, BUILD = "benchmarks/cvlue/packages/preview", "benchmarks/cvlue/packages/build"
# 60 items of one category, 30 of a second, 10 of none.
MIXED = [(n, 1 if n <= 60 else 2 if n <= 90 else None) for n in range(1, 101)]


def batches(mix, *, seed=b"7", size=10, complete_only=False, items=MIXED):
    return rules.batches(items, seed=seed, size=size, mix=mix, complete_only=complete_only)


@pytest.mark.parametrize("mix", ["shuffled", "spread", "single"])
class TestEveryMix:
    def test_holds_each_item_once(self, mix):
        assert sorted(n for batch in batches(mix) for n in batch) == list(range(1, 101))

    def test_is_the_same_for_the_same_seed_however_the_items_come(self, mix):
        assert batches(mix) == batches(mix, items=MIXED[::-1])
        assert batches(mix) != batches(mix, seed=b"8")

    def test_has_nothing_to_batch(self, mix):
        assert batches(mix, items=[]) == []


def test_spread_mirrors_the_categories_in_every_batch():
    of = dict(MIXED)
    mixed = [Counter(of[n] for n in batch) for batch in batches("spread")]
    assert {(m[1], m[2], m[None]) for m in mixed} == {(6, 3, 1)}


def test_spread_is_never_off_by_more_than_one():
    items = [(n, n % 7 % 3) for n in range(1, 88)]
    of, share = dict(items), Counter(c for _, c in items)
    for batch in batches("spread", items=items)[:-1]:
        held = Counter(of[n] for n in batch)
        assert all(abs(held[c] - 10 * share[c] / 87) < 2 for c in share)


def test_single_keeps_categories_apart_and_lets_them_take_turns():
    of = dict(MIXED)
    made = batches("single")
    assert [{of[n] for n in batch} for batch in made[:6]] == [{1}, {2}, {None}, {1}, {2}, {1}]
    assert all(len({of[n] for n in batch}) == 1 for batch in made)


def test_single_leaves_out_what_fills_no_batch_of_its_category():
    made = batches("single", size=25, complete_only=True)
    assert [len(batch) for batch in made] == [25, 25, 25]


@shared
def here():
    """Twelve pictures, of lanterns, tigers and nothing, four each; packages of four."""
    made = world(captions_protocol(size=4))
    accepted_pictures(made.benchmark, made.contributor, made.curator, 12)
    for number, slug in enumerate(("lantern", "tiger"), 1):
        category = Category.objects.create(
            benchmark=made.benchmark, slug=slug, number=number, name=names(slug), field="f", field_name=names("f")
        )
        Image.objects.filter(number__gt=4 * number - 4, number__lte=4 * number).update(category=category)
    return made


@shared
def admin(here):
    return signed_in(here.admin)


def packed():
    rows = PackageItem.objects.filter(active=True).select_related("package", "item__image")
    found: dict[int, list[int]] = {}
    for row in rows.order_by("package__number", "position"):
        found.setdefault(row.package.number, []).append(row.item.image.number)
    return found


@pytest.mark.django_db
class TestPreview:
    def test_tells_what_would_be_made_and_stores_nothing(self, admin):
        answer = send(admin, "POST", PREVIEW, {"kind": "captions", "size": 5, "seed": 7}).json()
        assert {name: answer[name] for name in ("waiting", "chosen", "left_over", "size", "seed", "total")} == {
            "waiting": 12,
            "chosen": 12,
            "left_over": 0,
            "size": 5,
            "seed": 7,
            "total": 3,
        }
        assert [(p["number"], p["items"]) for p in answer["packages"]] == [(1, 5), (2, 5), (3, 2)]
        assert [(c["slug"], c["n"]) for c in answer["categories"]] == [("lantern", 4), ("tiger", 4), (None, 4)]
        # 25% of five are two, none of which may be wrong; with nine in ten right one of the five is wrong.
        assert (answer["inspection"]["size"], answer["inspection"]["errors_allowed"]) == (2, 0)
        assert answer["inspection"]["pass_chances"][0] == {"right_percent": 90, "chance": 1.0}
        assert not Item.objects.exists()
        assert not Package.objects.exists()

    @pytest.mark.parametrize("mix", ["shuffled", "spread", "single"])
    def test_a_build_with_its_seed_makes_the_same_packages(self, admin, mix):
        rule = {"kind": "captions", "size": 3, "mix": mix, "maximum": 3}
        seen = send(admin, "POST", PREVIEW, rule).json()
        again = send(admin, "POST", PREVIEW, rule | {"seed": seen["seed"]}).json()
        assert again == seen
        made = send(admin, "POST", BUILD, rule | {"seed": seen["seed"], "client_key": key()}).json()
        assert [(p["number"], p["size"]) for p in made["made"]] == [(p["number"], p["items"]) for p in seen["packages"]]
        category_of = dict(Image.objects.values_list("number", "category__slug"))
        mixed = [Counter(category_of[n] for n in batch) for _, batch in sorted(packed().items())]
        assert mixed == [{c["slug"]: c["n"] for c in p["categories"]} for p in seen["packages"]]
        assert (made["items"], made["left_over"]) == (seen["chosen"], seen["left_over"]) == (9, 3)

    def test_warns_of_inspections_that_mean_little(self, admin):
        Image.objects.filter(number=12).update(pii_clear_by=None)
        answer = send(admin, "POST", PREVIEW, {"kind": "captions"}).json()
        assert [(w["code"], w["params"].get("size"), w["params"].get("sample")) for w in answer["warnings"]] == [
            ("inspection_weak", 4, 1),
            ("pictures_not_clear", None, None),
        ]
        assert answer["warnings"][0]["params"]["chance"] == 1.0

    def test_asks_as_much_for_many_as_for_few(self, here, admin):
        counts = []
        for _ in range(3):  # the first reads the protocol, which each process does once
            with CaptureQueriesContext(connection) as seen:
                send(admin, "POST", PREVIEW, {"kind": "captions", "mix": "spread"})
            counts.append(len(seen))
            accepted_pictures(here.benchmark, here.contributor, here.curator, 40)
        assert counts[1] == counts[2] <= 9

    def test_has_the_errors_of_the_build(self, here, admin):
        for body, status, code in (
            ({"kind": "boxes"}, 400, "kind_not_in_protocol"),
            ({"kind": "captions", "categories": ["dragon"]}, 422, "category_unknown"),
            ({"kind": "captions", "mix": "random"}, 400, "invalid_input"),
            ({"kind": "captions", "categories": []}, 400, "invalid_input"),
        ):
            assert told(send(admin, "POST", PREVIEW, body)) == (status, code)
            assert told(send(admin, "POST", BUILD, body | {"client_key": key()})) == (status, code)
        assert told(send(signed_in(here.senior), "POST", PREVIEW, {"kind": "captions"}))[0] == 403
        assert not Item.objects.exists()


@pytest.mark.django_db
class TestBuild:
    def test_takes_only_the_chosen_categories(self, admin):
        body = {"kind": "captions", "categories": ["tiger", "lantern"], "mix": "single", "client_key": key()}
        answer = send(admin, "POST", BUILD, body).json()
        assert (answer["items"], answer["left_over"]) == (8, 0)
        assert [sorted(batch) for batch in packed().values()] == [[1, 2, 3, 4], [5, 6, 7, 8]]
        more = send(admin, "POST", BUILD, {"kind": "captions", "client_key": key()}).json()
        assert ([p["number"] for p in more["made"]], sorted(packed()[3])) == ([3], [9, 10, 11, 12])

    def test_makes_no_more_than_the_maximum(self, admin):
        answer = send(admin, "POST", BUILD, {"kind": "captions", "maximum": 2, "client_key": key()}).json()
        assert (len(answer["made"]), answer["items"], answer["left_over"]) == (2, 8, 4)
        assert Item.objects.exclude(memberships__active=True).count() == 4

    def test_deals_packages_in_turn_and_tells_each_once(self, here, admin):
        people = [here.annotator2.pk, here.annotator.pk]
        body = {"kind": "captions", "assignees": people, "client_key": key()}
        answer = send(admin, "POST", BUILD, body).json()
        assert [(p["state"], p["assignee"]["id"]) for p in answer["made"]] == [
            ("assigned", here.annotator2.pk),
            ("assigned", here.annotator.pk),
            ("assigned", here.annotator2.pk),
        ]
        notices = {n.person_id: (n.code, n.params) for n in Notice.objects.all()}
        assert notices == {
            here.annotator2.pk: ("package_assigned", {"package": "cap-pkg-0001"}),
            here.annotator.pk: ("package_assigned", {"package": "cap-pkg-0002"}),
        }
        assert send(admin, "POST", BUILD, body).json() == answer
        assert Notice.objects.count() == 2
        assert told(send(admin, "POST", BUILD, body | {"assignees": people[:1]})) == (422, "client_key_reused")

    def test_assigns_only_to_people_who_may_write(self, here, admin):
        away = person("away", here.benchmark, Role.ANNOTATOR)
        type(away).objects.filter(pk=away.pk).update(is_active=False)
        for who, status, code in (
            (here.senior, 409, "cannot_annotate"),
            (away, 409, "cannot_annotate"),
            (here.stranger, 404, "not_found"),
        ):
            body = {"kind": "captions", "assignees": [here.annotator.pk, who.pk], "client_key": key()}
            assert told(send(admin, "POST", BUILD, body)) == (status, code)
        assert not Item.objects.exists()
        assert not AuditEvent.objects.filter(action="package_build").exists()
        assert not Notice.objects.exists()

    def test_a_repeat_with_another_rule_is_refused(self, admin):
        body = {"kind": "captions", "mix": "spread", "client_key": key()}
        first = send(admin, "POST", BUILD, body).json()
        assert send(admin, "POST", BUILD, body).json() == first
        for change in ({"mix": "single"}, {"maximum": 1}, {"categories": ["tiger"]}, {"seed": 3}):
            assert told(send(admin, "POST", BUILD, body | change)) == (422, "client_key_reused")
        assert Package.objects.count() == 3


@pytest.mark.parametrize(
    ("taken", "wanted", "free"),
    [([], 1, [0]), ([], 3, [0, 1, 2]), ([0], 1, []), ([1], 2, [0]), ([0, 2], 4, [1, 3]), ([5, 7], 1, []), ([], 0, [])],
)
def test_free_slots_are_the_lowest(taken, wanted, free):
    assert rules.free_slots(taken, wanted) == free


def world_where(**work):
    """Six pictures, the odd ones of subset A, the even ones of B; keys of captions as given; packages of four."""
    content = captions_protocol(size=4)
    content["kinds"]["captions"] |= work
    made = world(content)
    accepted_pictures(made.benchmark, made.contributor, made.curator, 6)
    for n in range(1, 7):
        Image.objects.filter(number=n).update(subset="AB"[(n + 1) % 2])
    return made


def places():
    return list(Item.objects.order_by("image__number", "slot").values_list("image__number", "slot"))


def needed(of, minimum):
    """What a build should take, read from every item and picture: (number of the picture, slot), more than once."""
    ready = {
        image.pk: image.number
        for image in Image.objects.filter(state="accepted", subset=of)
        if image.pii_clear_by_id is not None
    }
    found, taken = [], {pk: [] for pk in ready}
    for item in Item.objects.prefetch_related("memberships"):
        if item.image_id in ready and item.excluded_for not in ("discard", "decision"):
            taken[item.image_id].append(item.slot)
            if item.state in ("todo", "returned") and not any(m.active for m in item.memberships.all()):
                found.append((ready[item.image_id], item.slot))
    new = [(ready[pk], slot) for pk, slots in taken.items() for slot in rules.free_slots(slots, minimum)]
    return sorted(found + new)


def ticked(image, curator):
    """A picture that items may be created on."""
    Image.objects.filter(pk=image.pk).update(pii_clear_by=curator)
    return image


def change_something(here, chance):
    """One of the ways in which an item or a picture comes into a build, or leaves it."""
    some = Item.objects.filter(pk__in=chance.sample(list(Item.objects.values_list("pk", flat=True)), 2))
    pictures = Image.objects.filter(number__in=chance.sample(range(1, 13), 3))
    free = max(Item.objects.values_list("slot", flat=True), default=0) + 1
    number = max(Item.objects.values_list("number", flat=True), default=0) + 1
    ways = [
        lambda: PackageItem.objects.filter(item__in=some).update(active=False),
        lambda: some.update(state=chance.choice(("todo", "made", "returned")), excluded_for=""),
        lambda: some.update(state="excluded", excluded_for=chance.choice(("picture", "discard", "decision"))),
        lambda: pictures.update(subset=chance.choice(("", "A", "B"))),
        lambda: pictures.update(state=chance.choice(("accepted", "withdrawn"))),
        lambda: pictures.update(pii_clear_by=chance.choice((None, here.curator))),
        lambda: Image.objects.update(state="accepted", pii_clear_by=here.curator),
        lambda: Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image=ticked(pictures.first(), here.curator),
            slot=free,
            number=number,
        ),
        lambda: accepted_pictures(here.benchmark, here.contributor, here.curator, 1),
    ]
    chance.choice(ways)()


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_preview_and_build_take_exactly_what_is_outside_packages(seed):
    here, chance = world_where(subset="A", per_picture={"minimum": 2, "maximum": 3}), random.Random(seed)
    accepted_pictures(here.benchmark, here.contributor, here.curator, 6)
    admin = signed_in(here.admin)
    rule = {"kind": "captions", "size": 3, "maximum": 1}
    assert send(admin, "POST", BUILD, rule | {"client_key": key()}).status_code == 200
    for _ in range(25):
        change_something(here, chance)
        assert send(admin, "POST", PREVIEW, rule).json()["waiting"] == len(needed("A", 2))
    assert check_counts(repair=False) == []
    Image.objects.update(subset="A")
    expected, before = needed("A", 2), set(PackageItem.objects.values_list("package_id", flat=True))
    del rule["maximum"]
    seen = send(admin, "POST", PREVIEW, rule).json()
    made = send(admin, "POST", BUILD, rule | {"seed": seen["seed"], "client_key": key()}).json()
    assert (made["items"], len(made["made"])) == (len(expected), seen["total"])
    assert seen["chosen"] == len(expected)
    rows = PackageItem.objects.exclude(package_id__in=before).values_list("item__image__number", "item__slot")
    assert sorted(rows) == expected
    assert len(expected) > 10
    assert (send(admin, "POST", PREVIEW, rule).json()["waiting"], needed("A", 2)) == (0, [])


@pytest.mark.django_db
def test_an_adopted_protocol_with_another_kind_gets_items_for_all_pictures():
    here = world_where()
    first = Image.objects.get(number=1)
    Item.objects.create(benchmark=here.benchmark, kind="vqa", image=first, number=1)
    assert told(send(signed_in(here.admin), "POST", PREVIEW, {"kind": "vqa"})) == (400, "kind_not_in_protocol")
    content = preset("cvlue").content
    version = ProtocolVersion.objects.create(
        benchmark=here.benchmark, version=2, name="two", source_sha256="1" * 64, content=content
    )
    Benchmark.objects.update(protocol=version)
    accepted_pictures(here.benchmark, here.contributor, here.curator, 1)
    rows = PictureItems.objects.filter(kind="vqa").order_by("image__number").values_list("image__number", "items")
    assert list(rows) == [(1, 1), *((n, 0) for n in range(2, 8))]
    assert check_counts(repair=False) == []


@pytest.mark.django_db
class TestWork:
    def build(self, here, **body):
        body = {"kind": "captions", "client_key": key()} | body
        return send(signed_in(here.admin), "POST", BUILD, body)

    def test_only_pictures_of_the_subset_get_items(self):
        here = world_where(subset="A")
        seen = send(signed_in(here.admin), "POST", PREVIEW, {"kind": "captions"}).json()
        assert (seen["waiting"], seen["chosen"]) == (3, 3)
        assert self.build(here).json()["items"] == 3
        assert places() == [(1, 0), (3, 0), (5, 0)]
        assert told(self.build(here)) == (409, "nothing_to_pack")

    def test_the_preview_names_the_subset_and_what_it_leaves_out(self):
        here = world_where(subset="A")
        Image.objects.filter(number__in=(1, 2)).update(pii_clear_by=None)
        Image.objects.filter(number__in=(3, 4, 5)).update(subset="")
        seen = send(signed_in(here.admin), "POST", PREVIEW, {"kind": "captions"}).json()
        assert (seen["subset"], seen["waiting"]) == ("A", 0)
        assert [w for w in seen["warnings"] if w["code"].startswith("pictures")] == [
            {"code": "pictures_not_clear", "params": {"count": 1}},
            {"code": "pictures_without_subset", "params": {"count": 3}},
        ]

    def test_an_open_item_of_a_picture_that_left_the_subset_is_in_no_package(self):
        here = world_where(subset="A")
        for number in (1, 3):
            Item.objects.create(
                benchmark=here.benchmark, kind="captions", image=Image.objects.get(number=number), number=number
            )
        Image.objects.filter(number=1).update(subset="B")
        assert self.build(here).json()["items"] == 2
        assert sorted(i for batch in packed().values() for i in batch) == [3, 5]

    def test_no_item_is_created_by_rows_for_a_picture_of_another_subset(self):
        here = world_where(subset="A")
        Image.objects.filter(number=4).update(subset="")
        body = {"kind": "captions", "rows": [{"image": n} for n in (1, 2, 4)], "client_key": key()}
        answer = send(signed_in(here.admin), "POST", "benchmarks/cvlue/items/import", body)
        assert told(answer) == (422, "rows_refused")
        outside = [("img-0002", "B"), ("img-0004", "")]
        assert answer.json()["params"]["rows"] == [
            {
                "row": row,
                "code": "image_outside_subset",
                "params": {"image": image, "subset": subset, "expected": "A"},
            }
            for row, (image, subset) in enumerate(outside, 2)
        ]
        assert not Item.objects.exists()

    def test_each_picture_gets_the_minimum_of_items(self):
        here = world_where(per_picture={"minimum": 2, "maximum": 3})
        first = Image.objects.get(number=1)
        Item.objects.create(benchmark=here.benchmark, kind="captions", image=first, slot=1, number=1)
        Item.objects.create(
            benchmark=here.benchmark, kind="captions", image=first, slot=0, number=2, state="excluded",
            excluded_for="discard",
        )  # fmt: skip
        for slot in (0, 2):
            Item.objects.create(
                benchmark=here.benchmark, kind="captions", image=Image.objects.get(number=2), slot=slot, number=3 + slot
            )
        assert self.build(here).json()["items"] == 12
        made = Item.objects.exclude(excluded_for="discard").order_by("image__number", "slot")
        slots = {}
        for number, slot in made.values_list("image__number", "slot"):
            slots.setdefault(number, []).append(slot)
        assert slots == {1: [0, 1], 2: [0, 2], 3: [0, 1], 4: [0, 1], 5: [0, 1], 6: [0, 1]}
        assert sorted(made.values_list("number", flat=True)) == [1, 3, 5, *range(6, 15)]
        assert told(self.build(here)) == (409, "nothing_to_pack")

    def test_a_picture_with_an_item_in_any_slot_needs_no_other(self, here, admin):
        Item.objects.create(
            benchmark=here.benchmark, kind="captions", image=Image.objects.get(number=1), slot=3, number=1
        )
        assert send(admin, "POST", BUILD, {"kind": "captions", "client_key": key()}).json()["items"] == 12
        assert places() == [(1, 3), *((n, 0) for n in range(2, 13))]

    def test_a_kind_of_another_track_makes_no_packages(self):
        here = world_where(track="peer")
        refusals = [
            self.build(here),
            send(signed_in(here.admin), "POST", PREVIEW, {"kind": "captions"}),
            send(
                signed_in(here.admin), "POST", "benchmarks/cvlue/items/import",
                {"kind": "captions", "rows": [{"image": "img-0001"}], "client_key": key()},
            ),
        ]  # fmt: skip
        for refused in refusals:
            assert told(refused) == (409, "kind_not_in_packages")
            assert refused.json()["params"] == {"kind": "captions", "track": "peer"}
        assert not Item.objects.exists()
        assert not Package.objects.exists()
        assert not AuditEvent.objects.filter(action__in=["package_build", "item_import"]).exists()

    def test_a_kind_may_have_packages_of_its_own(self):
        here = world_where(package={"size": 2, "sample_percent": 50, "self_check": False})
        seen = send(signed_in(here.admin), "POST", PREVIEW, {"kind": "captions"}).json()
        assert (seen["size"], seen["total"], seen["inspection"]["size"]) == (2, 3, 1)
        assert [p["items"] for p in seen["packages"]] == [2, 2, 2]
        self.build(here)
        package = Package.objects.order_by("number").first()
        settings = access.track_settings(package.protocol_id, "captions")
        assert (settings.size, settings.sample_percent, settings.pass_over_percent) == (2, 50, 97)
        assert settings.self_check is False
