"""Boxes: what a content needs, on both sides of each limit."""

import dataclasses

import pytest

from annotation.kinds.base import open_findings
from annotation.kinds.boxes import KIND, MOST_BOXES
from annotation.kinds.content import MalformedContent, clean, difference
from annotation.kinds.context import Choice, Context, Language
from annotation.kinds.tree import resolve
from tests.kinds import settings_of

NAMES = {"zh-Hans": "熊猫", "zh-Hant": "熊貓", "en": "panda"}
CHOICES = (
    Choice(code="panda", name=NAMES, search=("熊猫", "xiongmao", "xm")),
    Choice(code="bowl", name=NAMES),
)
CONTEXT = Context(
    Language("zh-Hans"), width=640, height=480, subset="A", main_category="panda", main_minimum=2, categories=CHOICES
)
SETTINGS = settings_of("boxes")


def box(key, category="panda", place=(10, 20, 30, 40)):
    return {"key": key, "category": category, "box": list(place)}


def two():
    return [box("a"), box("b", place=(100, 20, 30, 40))]


def findings(boxes, context=CONTEXT, *, complete=True):
    return KIND.check({"boxes": boxes}, SETTINGS, context, complete=complete)


def codes(boxes, context=CONTEXT, *, complete=True):
    return [(f.code, f.field) for f in findings(boxes, context, complete=complete)]


def test_two_boxes_of_the_main_category_have_no_findings():
    assert findings(two()) == []


def test_nothing_drawn_is_an_error_only_when_submitted():
    assert codes([]) == [("nothing_drawn", "boxes")]
    assert codes([], complete=False) == []


def test_parts_that_are_missing_are_named():
    boxes = [*two(), box("c", category=""), box("d", place=())]
    expected = [("category_missing", "boxes.c.category"), ("box_missing", "boxes.d.box")]
    assert codes(boxes) == expected
    assert codes(boxes, complete=False) == []


def test_a_category_that_is_not_in_the_list_is_an_error_at_once():
    assert codes([*two(), box("c", category="dragon", place=(200, 20, 30, 40))], complete=False) == [
        ("category_unknown", "boxes.c.category")
    ]
    unread = dataclasses.replace(CONTEXT, categories=None)
    assert codes([*two(), box("c", category="dragon", place=(200, 20, 30, 40))], unread) == []


@pytest.mark.parametrize("place", [(10, 20, 8, 40), (10, 20, 30, 8), (10, 20, 8.004, 8)])
def test_the_shortest_side_is_enough(place):
    assert codes([*two(), box("c", "bowl", place)]) == []


@pytest.mark.parametrize("place", [(10, 20, 7.99, 40), (10, 20, 30, 7.99), (10, 20, 0, 0), (10, 20, -30, 40)])
def test_smaller_boxes_are_an_error(place):
    assert ("tiny", "boxes.c.box") in codes([*two(), box("c", "bowl", place)], complete=False)


@pytest.mark.parametrize("place", [(0, 0, 640, 480), (631.99, 0, 8.01, 480), (0.07, 0.1, 639.93, 479.9)])
def test_a_box_may_touch_the_edges_of_the_picture(place):
    assert codes([*two(), box("c", "bowl", place)]) == []


@pytest.mark.parametrize("place", [(-0.01, 0, 30, 40), (0, -0.01, 30, 40), (610.01, 0, 30, 40), (0, 440.01, 30, 40)])
def test_a_box_outside_is_an_error_that_no_reason_excuses(place):
    found = findings([*two(), box("c", "bowl", place)])
    assert [(f.code, f.params) for f in found] == [("outside", {"width": 640, "height": 480})]
    assert open_findings(found, {"outside": "it continues there"}) == found


def test_without_a_picture_nothing_is_outside():
    assert codes(two(), Context()) == []


def test_the_same_place_twice_needs_a_reason_only_for_the_same_category():
    # 30 x 40 and 30 x 36 within: 90% of the union.
    again = [*two(), box("c", place=(10, 20, 30, 36))]
    found = findings(again)
    assert [(f.code, f.field, f.params) for f in found] == [("duplicate", "boxes.c.box", {"other": 0})]
    assert open_findings(found, {"duplicate": "two pandas, one behind the other"}) == []
    assert codes([*two(), box("c", place=(10, 20, 30, 35.99))]) == []
    assert codes([*two(), box("c", "bowl", place=(10, 20, 30, 36))]) == []
    assert codes([*two(), box("c", "", place=(10, 20, 30, 36))], complete=False) == []


def test_each_box_of_several_in_one_place_is_reported_once():
    boxes = [*two(), *(box(f"c{n}") for n in range(3))]
    assert [(f.field, f.params["other"]) for f in findings(boxes)] == [(f"boxes.c{n}.box", 0) for n in range(3)]


def test_fewer_of_the_main_category_than_the_subset_asks_for_need_a_reason():
    boxes = [box("a"), box("b", "bowl", (100, 20, 30, 40))]
    (found,) = findings(boxes)
    assert (found.code, found.field) == ("too_few_of_main", "boxes")
    assert found.params == {"count": 1, "minimum": 2, "category": "panda"}
    assert open_findings([found], {"too_few_of_main": "the second is only a reflection"}) == []
    assert codes([*boxes[:1], box("b", "", (100, 20, 30, 40))], complete=False) == [("too_few_of_main", "boxes")]
    assert codes([], complete=False) == []


@pytest.mark.parametrize("lacking", [{"main_minimum": 0}, {"main_category": ""}])
def test_pictures_without_such_a_rule_may_have_any_number(lacking):
    assert codes([box("a")], dataclasses.replace(CONTEXT, **lacking)) == []


def test_too_many_boxes_are_one_finding():
    many = [box(f"k{n}", place=(n % 60 * 10, n // 60 * 10, 9, 9)) for n in range(MOST_BOXES)]
    assert codes(many) == []
    assert codes([*many, box("last", "bowl")]) == [("too_many", "boxes")]


def test_places_are_stored_in_hundredths_of_a_pixel():
    tree = KIND.tree(SETTINGS, CONTEXT)
    content = {"boxes": [box("a", place=(10.123456, 20.0, 30.005001, 40.999))]}
    assert clean(tree, content) == {"boxes": [box("a", place=(10.12, 20, 30.01, 41))]}
    assert [type(number) for number in clean(tree, content)["boxes"][0]["box"]] == [float, int, float, int]


@pytest.mark.parametrize("place", [[1, 2, 3], [1, 2, 3, float("nan")], [1, 2, 3, "4"], [1, 2, 3, 1e12]])
def test_a_box_is_four_numbers(place):
    with pytest.raises(MalformedContent):
        clean(KIND.tree(SETTINGS, CONTEXT), {"boxes": [{"key": "a", "category": "panda", "box": place}]})


def test_a_moved_and_a_deleted_box_are_the_differences():
    tree = KIND.tree(SETTINGS, CONTEXT)
    before, after = {"boxes": two()}, {"boxes": [box("a", place=(11, 20, 30, 40))]}
    assert difference(tree, before, after) == {
        "boxes.a.box": ([10, 20, 30, 40], [11, 20, 30, 40]),
        "boxes.b": (two()[1], None),
    }


def test_the_categories_come_with_the_rules_and_with_what_finds_them():
    rules = KIND.rules(SETTINGS, CONTEXT).model_dump(mode="json")
    assert (rules["side_minimum"], rules["duplicate_percent"], rules["double_percent"]) == (8, 90, 5)
    fields = rules["content"]["fields"]["boxes"]["of"]["fields"]
    assert fields["category"]["choices"][0]["search"] == ["熊猫", "xiongmao", "xm"]
    assert fields["box"] == {"type": "numbers", "count": 4, "decimals": 2, "answer": False}
    assert resolve(KIND.tree(SETTINGS, CONTEXT), CONTEXT).fields["boxes"].answer
