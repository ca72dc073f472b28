"""MS-COCO's captions: what its own readers join."""

import hashlib
import json

from tests.annotation.releases.exporters.generated import Generated, facts, texts


def test_captions_point_at_pictures_by_number():
    files = texts("coco_captions", Generated(facts("captions", 10)))
    assert list(files) == ["captions-train-coco.json", "captions-valid-coco.json", "captions-test-coco.json"]
    valid = json.loads(files["captions-valid-coco.json"])
    assert valid["licenses"] == [{"id": 1, "name": "CC-BY-4.0", "url": ""}]
    assert valid["images"] == [
        {
            "id": 7,
            "file_name": "images/valid/A/1-panda/A-1-7.png",
            "width": 24,
            "height": 16,
            "license": 1,
            "label": "img-0007",
            "sha256": hashlib.sha256(bytes([0, 0, 0, 7]) * 100).hexdigest(),
        }
    ]
    assert valid["annotations"] == [
        {"id": i + 1, "image_id": 7, "caption": f"第7张图片里有第{i}样东西，在灯下面"} for i in range(5)
    ]
    train = json.loads(files["captions-train-coco.json"])
    assert [row["id"] for row in train["annotations"]] == list(range(1, 31))
    assert [row["id"] for row in train["images"]] == [1, 2, 3, 4, 5, 6]


class SharedPicture(Generated):
    """All items lie on one picture."""

    def record(self, ordinal):
        return super().record(ordinal) | {"id": 1, "image": "images/train/1.png"}


def test_a_picture_of_several_items_is_listed_once():
    train = json.loads(texts("coco_captions", SharedPicture(facts("captions", 10)))["captions-train-coco.json"])
    assert [row["id"] for row in train["images"]] == [1]
    assert {row["image_id"] for row in train["annotations"]} == {1}
    assert len(train["annotations"]) == 30


def test_an_empty_split_and_withheld_captions_leave_empty_lists():
    content = Generated(facts("captions", 5, withheld=["test"]))
    files = {name: json.loads(text) for name, text in texts("coco_captions", content).items()}
    assert (files["captions-valid-coco.json"]["images"], files["captions-valid-coco.json"]["annotations"]) == ([], [])
    assert len(files["captions-test-coco.json"]["images"]) == 2
    assert files["captions-test-coco.json"]["annotations"] == []
