"""Boxes as MS-COCO: numbers, places and what a withheld split leaves out."""

import json

from tests.annotation.releases.exporters.generated import Generated, facts, texts
from tests.kinds import SLUGS


def written(items=10, **about):
    content = Generated(facts("boxes", items, **about))
    return content, {name: json.loads(text) for name, text in texts("coco_boxes", content).items()}


def test_each_split_has_its_pictures_the_categories_and_the_boxes():
    content, files = written()
    assert list(files) == [f"boxes-{split}-coco.json" for split in ("train", "valid", "test")]
    train = files["boxes-train-coco.json"]
    assert [(row["id"], row["name"], row["supercategory"]) for row in train["categories"]] == [
        (number, slug, "things") for number, slug in enumerate(SLUGS, 1)
    ]
    assert train["categories"][0]["names"]["zh-Hans"] == "熊猫"
    assert [image["id"] for image in train["images"]] == [1, 2, 3, 4, 5, 6]
    first = next(iter(content.records(range(1, 2))))
    assert train["images"][0] | {"width": 24, "height": 16, "file_name": first["image"]} == train["images"][0]
    assert [row["id"] for row in train["annotations"]] == list(range(1, 19))
    assert train["annotations"][1] == {
        "id": 2,
        "image_id": 1,
        "category_id": 2,
        "bbox": [1, 0.25, 8.5, 10],
        "area": 85.0,
        "iscrowd": 0,
        "segmentation": [],
    }


def test_a_withheld_split_has_pictures_and_no_boxes():
    content, files = written(withheld=["test"])
    test = files["boxes-test-coco.json"]
    assert (len(test["images"]), test["annotations"]) == (3, [])
    assert files["boxes-train-coco.json"]["annotations"]
    keys = [json.loads(line) for line in texts("key", content)["boxes-test-key.jsonl"].splitlines()]
    assert [len(key["boxes"]) for key in keys] == [3, 3, 3]


def test_another_kind_has_no_such_file():
    assert texts("coco_boxes", Generated(facts("captions", 10))) == {}


def test_label_studio_has_rectangles_in_percent():
    text = texts("label_studio", Generated(facts("boxes", 10)))["boxes-train-label-studio.json"]
    region = json.loads(text)[0]["annotations"][0]["result"][1]
    assert region | {"type": "rectanglelabels", "from_name": "boxes", "to_name": "image", "id": "k1"} == region
    assert (region["original_width"], region["original_height"]) == (24, 16)
    assert region["value"] == {
        "x": 4.16666667,
        "y": 1.5625,
        "width": 35.41666667,
        "height": 62.5,
        "rotation": 0,
        "rectanglelabels": ["tea"],
    }


def test_csv_has_a_row_for_each_box():
    lines = texts("csv", Generated(facts("boxes", 10)))["boxes-train.csv"].splitlines()
    assert lines[0].endswith(",no,key,category,box") or "box" in lines[0]
    assert len(lines) == 1 + 18
