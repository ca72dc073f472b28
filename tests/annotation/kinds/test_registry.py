"""What every kind owes, whichever it is."""

import ast
import json
import re
from pathlib import Path

import pytest

from annotation.kinds import registry
from annotation.kinds.base import LANGUAGES, KindSettings, MalformedContent, Rules
from annotation.kinds.registry import KINDS, label, package_label
from annotation.releases.exporters.columns import SHARED
from annotation.releases.exporters.parquet import schema_of

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
    columns = KINDS[name].columns
    assert not columns.keys() & SHARED.keys()
    assert schema_of(name).names == [*SHARED, *columns]
    assert all(column.meaning for column in columns.values())


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
}


@pytest.mark.parametrize("name", KINDS)
def test_its_texts_make_its_content_again(name):
    kind = KINDS[name]
    assert kind.from_texts(kind.texts(CONTENTS[name])) == CONTENTS[name]
    with pytest.raises(MalformedContent):
        kind.from_texts(kind.texts(CONTENTS[name]) | {"others": ["x"]})


@pytest.mark.parametrize(
    ("name", "public", "key"),
    [
        ("captions", {"captions": []}, {"captions": ["一只熊猫在吃竹子", "竹林里有一只熊猫"]}),
        (
            "vqa",
            {"pairs": [{"question": "它在吃什么？", "answer": ""}, {"question": "有几只？", "answer": ""}]},
            {"answers": ["竹子", "一只"]},
        ),
    ],
)
def test_answers_are_taken_out_of_a_record_whole(name, public, key):
    record = {"id": 1, "label": "img-0001"} | CONTENTS[name]
    before = json.dumps(record)
    assert KINDS[name].withhold(record) == ({"id": 1, "label": "img-0001"} | public, key)
    assert json.dumps(record) == before
