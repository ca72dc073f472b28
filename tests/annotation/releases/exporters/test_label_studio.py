"""Label Studio's tasks: what its importer and ours read."""

import hashlib
import json

from annotation.kinds.texts import from_texts
from tests.annotation.releases.exporters.generated import Generated, facts, texts


def test_a_task_names_its_picture_and_holds_the_texts_by_name():
    files = texts("label_studio", Generated(facts("vqa", 10)))
    (task,) = json.loads(files["vqa-valid-label-studio.json"])
    questions = [f"第7张图片里有第{i}样东西，在灯下面是什么？" for i in range(3)]
    assert task == {
        "id": 7,
        "data": {
            "image": "images/valid/A/1-panda/A-1-7.png",
            "label": "img-0007",
            "sha256": hashlib.sha256(bytes([0, 0, 0, 7]) * 100).hexdigest(),
            "item": "vqa-000007",
            "kind": "vqa",
            "split": "valid",
            "language": "zh-Hans",
        },
        "annotations": [
            {
                "id": 7,
                "result": [
                    {
                        "id": name,
                        "from_name": name,
                        "to_name": "image",
                        "type": "textarea",
                        "value": {"text": given},
                    }
                    for name, given in (("questions", questions), ("answers", ["东西7"] * 3))
                ],
            }
        ],
    }


def test_the_texts_make_the_content_again():
    content = Generated(facts("captions", 10))
    for task in json.loads(texts("label_studio", content)["captions-train-label-studio.json"]):
        (annotation,) = task["annotations"]
        parts = {result["from_name"]: result["value"]["text"] for result in annotation["result"]}
        assert from_texts(content.facts.tree, parts) == {"captions": content.record(task["id"])["captions"]}


def test_withheld_answers_leave_the_questions():
    content = Generated(facts("vqa", 10, withheld=["test"]))
    tasks = json.loads(texts("label_studio", content)["vqa-test-label-studio.json"])
    assert [[r["from_name"] for r in task["annotations"][0]["result"]] for task in tasks] == [["questions"]] * 3
