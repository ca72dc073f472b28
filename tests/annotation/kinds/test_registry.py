"""What every kind owes, whichever it is."""

import ast
import json
import re
from pathlib import Path

import pytest

from annotation.kinds import registry
from annotation.kinds.base import KindSettings, Rules
from annotation.kinds.content import MalformedContent
from annotation.kinds.names import LANGUAGES
from annotation.kinds.published import columns, withhold
from annotation.kinds.registry import KINDS, label, package_label
from annotation.kinds.texts import from_texts, text_groups, texts_at
from annotation.releases.exporters.columns import FURTHER, OCCASIONAL, SHARED
from annotation.releases.exporters.parquet import schema_of
from tests.annotation.releases.exporters.generated import facts
from tests.kinds import tree_of

FOLDER = Path(registry.__file__).parent
LOCALES = FOLDER.parents[1] / "frontend" / "src" / "locales"


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_names_itself_and_brings_its_shapes(name):
    kind = KINDS[name]
    assert kind.name == name
    assert issubclass(kind.settings, KindSettings)
    assert issubclass(kind.rules_shape, Rules)
    assert kind.rules_shape.model_fields["kind"].default == name
    assert set(kind.rules_shape.model_fields) - {"kind", "content"} == set(kind.settings.model_fields)


@pytest.mark.parametrize("name", KINDS)
def test_its_content_can_be_published(name):
    own = columns(tree_of(name))
    replaced = own.keys() & (SHARED.keys() | OCCASIONAL.keys() | FURTHER.keys())
    assert replaced <= {"category"}  # a question has its own, whatever its picture's is
    assert schema_of(facts(name)).names == [
        *(column for column in SHARED if column not in replaced),
        *(FURTHER if name == "dialogue" else ()),
        *own,
    ]
    assert all(column.meaning for column in own.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", KINDS)
def test_it_has_a_name_and_a_sentence_for_each_finding(name, language):
    ui, words = (json.loads((LOCALES / language / f"{file}.json").read_text()) for file in ("ui", "kinds"))
    codes = set(re.findall(r'\bFinding\(\s*"(\w+)"', (FOLDER / f"{name}.py").read_text()))
    told = {re.sub("_(one|other)$", "", code) for code in words[name]["finding"]}
    assert name in ui["kind"]
    assert len(codes) > 1
    assert codes <= told


def test_prefixes_are_different():
    assert len({kind.prefix for kind in KINDS.values()}) == len(KINDS)
    assert (label("vqa", 7), package_label("vqa", 7)) == ("vqa-000007", "vqa-pkg-0007")


@pytest.mark.parametrize("name", KINDS)
def test_kinds_do_not_import_one_another(name):
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not imported & {f"annotation.kinds.{other}" for other in KINDS}


CONTENTS = {
    "captions": {"captions": ["一只熊猫在吃竹子", "竹林里有一只熊猫"]},
    "vqa": {"pairs": [{"question": "它在吃什么？", "answer": "竹子"}, {"question": "有几只？", "answer": "一只"}]},
    "multiple_choice": {
        "category": "",
        "question": {"local": "图中的乐器叫什么名字？", "translated": "What is this instrument called?"},
        "options": [{"local": "二胡", "translated": "Erhu"}, {"local": "琵琶", "translated": "Pipa"}],
    },
    "boxes": {
        "boxes": [
            {"key": "a", "category": "erhu", "box": [10, 20.5, 30, 40]},
            {"key": "b", "category": "pipa", "box": [50, 20.5, 30, 40]},
        ]
    },
    "dialogue": {
        "rounds": [{"question": f"第{no}张桌子上有什么？", "answer": f"第{no}张桌子上有茶碗。"} for no in range(10)]
    },
    # Texts alone have no place yet.
    "grounding": {
        "expressions": [
            {"key": "k0", "text": "左边的二胡", "box": []},
            {"key": "k1", "text": "右边的二胡", "box": []},
        ]
    },
}


# Kinds whose contents have no texts cannot be made from texts.
@pytest.mark.parametrize("name", [name for name in KINDS if text_groups(tree_of(name))])
def test_its_texts_make_its_content_again(name):
    tree = tree_of(name)
    texts = {group: texts_at(CONTENTS[name], group) for group in text_groups(tree)}
    assert from_texts(tree, texts) == CONTENTS[name]
    with pytest.raises(MalformedContent):
        from_texts(tree, texts | {"others": ["x"]})


@pytest.mark.parametrize(
    ("name", "public", "key"),
    [
        ("captions", {"captions": []}, {"captions": ["一只熊猫在吃竹子", "竹林里有一只熊猫"]}),
        (
            "vqa",
            {"pairs": [{"question": "它在吃什么？", "answer": ""}, {"question": "有几只？", "answer": ""}]},
            {"answers": ["竹子", "一只"]},
        ),
        (
            "multiple_choice",
            CONTENTS["multiple_choice"] | {"options": []},
            {"options": CONTENTS["multiple_choice"]["options"]},
        ),
        ("boxes", {"boxes": []}, CONTENTS["boxes"]),
    ],
)
def test_answers_are_taken_out_of_a_record_whole(name, public, key):
    record = {"id": 1, "label": "img-0001"} | CONTENTS[name]
    before = json.dumps(record)
    assert withhold(tree_of(name), record) == ({"id": 1, "label": "img-0001"} | public, key)
    assert json.dumps(record) == before


@pytest.mark.parametrize(
    ("name", "texts", "files"),
    [
        ("captions", {"captions": CONTENTS["captions"]["captions"]}, ["captions"]),
        (
            "vqa",
            {"pairs.question": ["它在吃什么？", "有几只？"], "pairs.answer": ["竹子", "一只"]},
            ["questions", "answers"],
        ),
        (
            "multiple_choice",
            {
                "question.local": ["图中的乐器叫什么名字？"],
                "question.translated": ["What is this instrument called?"],
                "options.local": ["二胡", "琵琶"],
                "options.translated": ["Erhu", "Pipa"],
            },
            ["question.local", "question.translated", "options.local", "options.translated"],
        ),
        ("boxes", {}, []),
    ],
)
def test_texts_go_by_group_and_keep_their_names_in_files(name, texts, files):
    groups = text_groups(tree_of(name))
    assert {group: texts_at(CONTENTS[name], group) for group in groups} == texts
    assert list(groups.values()) == files
