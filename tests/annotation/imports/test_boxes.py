"""Boxes of other tools: categories by short name, name or number, places, and what cannot be taken over."""

import io
import json

import pytest

from annotation.imports.rules.coco import CocoBoxes
from annotation.imports.rules.label_studio import LabelStudio
from tests.kinds import tree_of

TREE = tree_of("boxes")


def coco(annotations, categories=(), **image):
    images = [{"id": 1, "file_name": "img-0001.jpg", "width": 24, "height": 16} | image]
    value = {"images": images, "annotations": list(annotations), "categories": list(categories)}
    [row, *_] = CocoBoxes().rows(io.StringIO(json.dumps(value)), TREE)
    return row


def annotated(category_id=1, bbox=(1, 2, 3, 4), **more):
    return {"image_id": 1, "category_id": category_id, "bbox": list(bbox)} | more


def studio(*regions, **annotation):
    task = {"data": {"image": "img-0001.jpg"}, "annotations": [{"result": list(regions)} | annotation]}
    [row] = LabelStudio().rows(io.StringIO(json.dumps([task])), TREE)
    return row


def rectangle(label="panda", *, rotation=0, **place):
    value = {"x": 25.0, "y": 50.0, "width": 50.0, "height": 25.0, "rotation": rotation} | place
    return {
        "type": "rectanglelabels",
        "from_name": "label",
        "original_width": 24,
        "original_height": 16,
        "value": value | {"rectanglelabels": [label] if label else []},
    }


def boxes(row):
    assert row.fault is None, row.fault
    return [(box["category"], box["box"]) for box in row.content["boxes"]]


@pytest.mark.parametrize("name", ["tea", "茶", "TEA", " tea "])
def test_a_category_is_known_by_its_short_name_and_its_names(name):
    row = coco([annotated(17)], [{"id": 17, "name": name}])
    assert boxes(row) == [("tea", [1, 2, 3, 4])]
    assert boxes(studio(rectangle(name))) == [("tea", [6, 8, 12, 4])]


def test_without_names_the_number_of_the_list_counts():
    assert boxes(coco([annotated(3)])) == [("kite", [1, 2, 3, 4])]


def test_a_name_counts_more_than_a_number_of_another_list():
    # Number 1 is a panda here, and another list's person.
    row = coco([annotated(1)], [{"id": 1, "name": "person"}])
    assert row.fault == ("category_unknown", {"category": "person"})


@pytest.mark.parametrize("other", [{"id": 17, "name": "tea"}, {"id": 3}, {"id": 3, "name": ""}])
def test_a_number_that_the_file_s_own_categories_do_not_name_is_none_of_the_list(other):
    assert coco([annotated(3)], [other]).fault == ("category_unknown", {"category": "3"})


def test_one_box_more_than_a_picture_may_have_is_read():
    assert len(coco([annotated()] * 400).content["boxes"]) == 301


@pytest.mark.parametrize("number", [0, 99, "x", None])
def test_other_numbers_are_unknown(number):
    assert coco([annotated(number)]).fault.code == "category_unknown"


def test_edges_are_rounded_so_that_a_box_at_the_edge_stays_inside():
    [(_, box)] = boxes(coco([annotated(1, (10.005001, 0, 13.994999, 16.000004))]))
    assert box[0] + box[2] == 24
    assert box[3] == 16


def test_a_share_in_percent_is_of_the_picture_s_size():
    row = studio(rectangle(x=0, y=0, width=100, height=100))
    assert boxes(row) == [("panda", [0, 0, 24, 16])]
    assert row.size == (24, 16)


@pytest.mark.parametrize(
    ("bbox", "code"),
    [
        ([1, 2, 3], "row_not_understood"),
        ([1, 2, 3, "4"], "row_not_understood"),
        ([1, 2, 3, True], "row_not_understood"),
        (None, "row_not_understood"),
        ([1, 2, 3, 1e300], "row_not_understood"),
    ],
)
def test_a_box_that_is_none_rejects_its_row(bbox, code):
    assert coco([annotated() | {"bbox": bbox}]).fault.code == code


def test_crowds_turned_boxes_and_several_labels_are_rejected_by_name():
    assert coco([annotated(), annotated(iscrowd=1)]).fault == ("boxes_of_crowds", {"count": 1})
    assert studio(rectangle(rotation=10)).fault.code == "box_turned"
    assert studio(rectangle() | {"image_rotation": 90}).fault.code == "box_turned"
    assert studio(rectangle(label=None)).fault.code == "category_unknown"


def test_names_of_boxes_that_are_taken_are_replaced():
    ids = ["k29" + "x" * n for n in range(29)]
    row = studio(*({"id": each} | rectangle(x=float(n)) for n, each in enumerate([*ids, "", ids[3]])))
    keys = [box["key"] for box in row.content["boxes"]]
    assert (keys[:29], len(set(keys))) == (ids, 31)


def test_an_id_of_two_categories_is_none():
    twice = [{"id": 1, "name": "panda"}, {"id": 1, "name": "tea"}, {"id": 2, "name": "tea"}]
    assert coco([annotated(1)], twice).fault.code == "category_unknown"
    assert boxes(coco([annotated(2)], twice)) == [("tea", [1, 2, 3, 4])]


def test_without_boxes_there_is_nothing_to_import():
    assert coco([]).fault.code == studio().fault.code == "row_without_boxes"


def test_different_boxes_of_two_people_are_not_chosen_from():
    regions = [{"result": [rectangle(x=x)]} for x in (10.0, 20.0)]
    task = {"data": {"image": "img-0001.jpg"}, "annotations": regions}
    [row] = LabelStudio().rows(io.StringIO(json.dumps([task])), TREE)
    assert row.fault.code == "several_annotations"
    regions[1]["ground_truth"] = True
    [row] = LabelStudio().rows(io.StringIO(json.dumps([task])), TREE)
    assert boxes(row)[0][1][0] == 4.8


def test_a_size_that_is_not_the_picture_s_is_told():
    assert coco([annotated()], width=48).size == (48, 16)
    assert coco([annotated()], width=None).size is None


def test_keys_of_the_file_are_kept_where_they_can_be():
    regions = [rectangle() | {"id": "abc"}, rectangle(x=1) | {"id": "abc"}, rectangle(x=2) | {"id": "no key!"}]
    keys = [box["key"] for box in studio(*regions).content["boxes"]]
    assert keys[0] == "abc"
    assert len(set(keys)) == 3


def test_annotations_before_the_pictures_are_read_too():
    value = {"annotations": [annotated(1)], "images": [{"id": 1, "file_name": "img-0001.jpg"}]}
    [row] = CocoBoxes().rows(io.StringIO(json.dumps(value)), TREE)
    assert boxes(row) == [("panda", [1, 2, 3, 4])]
