"""CVLUE's own files, as its repository publishes them."""

import hashlib
import json

from tests.annotation.releases.exporters.generated import Generated, facts, texts


def read(kind, **given):
    return {
        name: json.loads(text) for name, text in texts("cvlue_published", Generated(facts(kind, 10, **given))).items()
    }


def test_training_pictures_are_numbered_and_others_are_not():
    files = read("captions")
    captions = [f"第1张图片里有第{i}样东西，在灯下面" for i in range(5)]
    assert files["cvlue-ic-train.json"][0] == {
        "image": "images/train/A/1-panda/A-1-1.png",
        "caption": captions,
        "image_id": 1,
    }
    assert [list(row) for row in files["cvlue-ic-valid.json"]] == [["image", "caption"]]
    assert [len(files[f"cvlue-ic-{split}.json"]) for split in ("train", "valid")] == [6, 1]


def test_the_test_is_pictures_and_a_pool_whose_order_tells_nothing():
    for withheld in ([], ["test"]):
        files = read("captions", withheld=withheld)
        assert files["cvlue-ic-test-images.json"] == [f"images/test/A/1-panda/A-1-{n}.png" for n in (8, 9, 10)]
        pool = files["cvlue-ic-test-captions.json"]
        assert sorted(pool) == sorted(f"第{n}张图片里有第{i}样东西，在灯下面" for n in (8, 9, 10) for i in range(5))
        assert pool == sorted(pool, key=lambda text: hashlib.sha256(text.encode()).digest())


class SharedPicture(Generated):
    """All items lie on one picture and say the same."""

    def record(self, ordinal):
        return super().record(ordinal) | {"image": "images/test/1.png", "captions": ["一", "二"]}


def test_a_picture_and_a_caption_are_listed_once():
    files = texts("cvlue_published", SharedPicture(facts("captions", 10)))
    assert json.loads(files["cvlue-ic-test-images.json"]) == ["images/test/1.png"]
    assert sorted(json.loads(files["cvlue-ic-test-captions.json"])) == ["一", "二"]


def test_questions_of_an_item_follow_one_another_and_the_tests_answers_are_empty():
    files = read("vqa")
    assert files["cvlue-vqa-valid.json"] == [
        {
            "image": "images/valid/A/1-panda/A-1-7.png",
            "question_id": 19 + i,
            "question": f"第7张图片里有第{i}样东西，在灯下面是什么？",
            "answer": "东西7",
        }
        for i in range(3)
    ]
    numbers = [row["question_id"] for split in ("train", "valid", "test") for row in files[f"cvlue-vqa-{split}.json"]]
    assert numbers == list(range(1, 31))
    assert {row["answer"] for row in files["cvlue-vqa-test.json"]} == {""}


def test_answers_are_those_of_the_training_each_with_a_number_of_its_own():
    answers = read("vqa")["cvlue-vqa-answer_list.json"]
    assert sorted(answers) == [f"东西{n}" for n in range(1, 7)]
    assert list(answers.values()) == [0, 1, 2, 3, 4, 5]


def test_expressions_have_boxes_except_in_the_test_and_numbers_of_their_own():
    files = read("grounding")
    assert files["cvlue-vg-valid.json"] == [
        {
            "ref_id": 6 * 20 + 1 + i,
            "image": "images/valid/A/1-panda/A-1-7.png",
            "text": f"第7张图片里的第{i}样东西",
            "width": 24,
            "height": 16,
            "bbox": [10.5 + i, 20, 30, 40.25],
        }
        for i in range(2)
    ]
    assert [row["bbox"] for row in files["cvlue-vg-test.json"]] == [[]] * 6
    numbers = [row["ref_id"] for split in ("train", "valid", "test") for row in files[f"cvlue-vg-{split}.json"]]
    assert numbers == [n * 20 + i for n in range(10) for i in (1, 2)]
