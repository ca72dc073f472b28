"""CVQA's format: as its readers open it, shuffled by a kept seed, silent about withheld answers."""

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
from dataclasses import replace

import langcodes
import pyarrow.parquet as pq
import pytest
import yaml

from annotation.kinds.option_order import drawn_order
from annotation.releases.exporters import cvqa_hub, registry
from annotation.releases.exporters.base import Written
from annotation.releases.exporters.card import statistics
from tests.annotation.kinds.test_multiple_choice import QUESTIONS
from tests.annotation.releases.exporters.generated import Generated, Sheet, texts, write
from tests.annotation.releases.exporters.generated import facts as other_facts
from tests.annotation.releases.exporters.questions import TAXONOMIES, Questions, facts, pairs

READ = """
import json, sys
from datasets import get_dataset_config_names, get_dataset_split_names, load_dataset
folder = sys.argv[1]
rows = load_dataset(folder, "cvqa_hub", split="test")
own = load_dataset(folder, "default", split="test")
print(json.dumps({
    "configs": get_dataset_config_names(folder),
    "splits": get_dataset_split_names(folder, "cvqa_hub"),
    "features": {name: str(feature) for name, feature in rows.features.items()},
    "own": {name: str(own.features[name]) for name in ("question", "options", "language", "research_only", "slot")},
    "rows": [{**row, "image": row["image"].size} for row in rows],
}))
"""
NAME = "cvqa-hub-test-00000-of-00001.parquet"
ALL = [*registry.DATA]


def files_of(content):
    """Every file of a release that has all formats, by name."""
    files = {}
    for job in registry.work(ALL, content.whole):
        sheet = Sheet()
        job.exporter.write(job.file, content, sheet)
        files[job.file.name] = sheet.bytes()
        digest = hashlib.sha256(files[job.file.name]).hexdigest()
        content.written()[job.file.name] = Written(digest, len(files[job.file.name]), job.file.is_key)
    return files


def rows_of(content):
    (file,) = [file for file in cvqa_hub.EXPORTER.files(content.facts) if not file.is_key]
    sheet = Sheet()
    cvqa_hub.EXPORTER.write(file, content, sheet)
    return pq.read_table(io.BytesIO(sheet.bytes())).to_pylist()


def row_of(**values):
    """The row of one question whose record has other values."""
    (row,) = rows_of(Questions(facts(1), **values))
    return row


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """What ``datasets`` reads of a release in every script, offline."""
    folder = tmp_path_factory.mktemp("release")
    write(folder, Questions(facts()), ["cvqa_hub", "parquet"])
    home = str(tmp_path_factory.mktemp("hf"))
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": home}
    command = [sys.executable, "-c", READ, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_datasets_opens_it_with_cvqas_columns(loaded):
    assert loaded["configs"] == ["default", "cvqa_hub"]
    assert loaded["splits"] == ["test"]
    features = loaded["features"]
    assert features.pop("image").startswith("Image(")
    assert features == {
        "ID": "Value('string')",
        "Subset": "Value('string')",
        "Question": "Value('string')",
        "Translated Question": "Value('string')",
        "Options": "List(Value('string'))",
        "Translated Options": "List(Value('string'))",
        "Label": "Value('int64')",
        "Category": "Value('string')",
        "Image Type": "Value('string')",
        "Image Source": "Value('string')",
        "License": "Value('string')",
    }


def test_the_releases_own_records_are_read_beside_it(loaded):
    side = "{'local': Value('string'), 'translated': Value('string')}"
    assert loaded["own"] == {
        "question": side,
        "options": f"List({side})",
        "language": "Value('string')",
        "research_only": "Value('bool')",
        "slot": "Value('int64')",
    }


def test_every_script_comes_back_as_it_was_written(loaded):
    assert len(loaded["rows"]) == len(QUESTIONS)
    for row, (tag, question, options, translated, translated_options) in zip(loaded["rows"], QUESTIONS, strict=True):
        assert row["image"] == [24, 16]
        assert (row["Question"], row["Translated Question"]) == (question, translated)
        assert row["Options"][row["Label"]] == options[0]
        assert row["Translated Options"][row["Label"]] == translated_options[0]
        shuffled = dict(zip(options, translated_options, strict=True))
        assert sorted(row["Options"]) == sorted(options)
        assert [shuffled[option] for option in row["Options"]] == row["Translated Options"]
        pair = pairs()[tag]
        names = [pair[name]["en"] for name in ("language", "country")]
        assert row["Subset"].replace("_", " ") == str(tuple(names))
    assert len({row["Label"] for row in loaded["rows"]}) == 4


@pytest.mark.parametrize(
    ("names", "subset"),
    [
        (("Chinese", "China"), "('Chinese', 'China')"),
        (("Egyptian Arabic", "Egypt"), "('Egyptian_Arabic', 'Egypt')"),
        (("Sinhala", "Sri Lanka"), "('Sinhala', 'Sri_Lanka')"),
        (("Korean", "South Korea"), "('Korean', 'South Korea')"),
    ],
)
def test_subsets_are_spelled_as_published(names, subset):
    assert row_of(language_name=names[0], country=names[1])["Subset"] == subset


@pytest.mark.parametrize(
    ("category", "published"),
    [("objects", "Objects / materials / clothing"), ("tradition", "Traditions / art / history"), ("music", "music")],
)
def test_categories_are_spelled_as_published(category, published):
    assert row_of(category=category)["Category"] == published


def test_every_category_of_the_paper_has_a_published_name():
    taxonomy = yaml.safe_load((TAXONOMIES / "cvqa.yaml").read_text(encoding="utf-8"))
    assert {c["slug"] for c in taxonomy["fields"][0]["categories"]} == set(cvqa_hub._CATEGORIES)


@pytest.mark.parametrize(
    ("kind", "research_only", "image_type", "source"),
    [
        ("own", False, "Self", "Self-open"),
        ("own", True, "Self", "Self-research_only"),
        ("donated", True, "Self", "Self-research_only"),
        ("external", True, "External", "https://example.org/1"),
    ],
)
def test_each_row_says_where_its_picture_comes_from(kind, research_only, image_type, source):
    values = {"source": {"kind": kind, "url": "https://example.org/1", "author": "甲"}, "research_only": research_only}
    row = row_of(**values)
    assert (row["Image Type"], row["Image Source"]) == (image_type, source)


@pytest.mark.parametrize(
    ("code", "published"),
    [("CC-BY-SA-4.0", "CC BY-SA 4.0"), ("CC-BY-2.0", "CC BY 2.0"), ("own-research", "own-research")],
)
def test_each_row_names_its_pictures_licence(code, published):
    assert row_of(licence=code)["License"] == published


def test_a_text_in_the_language_of_translations_is_its_own_translation():
    option = [{"local": text, "translated": ""} for text in ("Scone", "Barmbrack", "Boxty", "Coddle")]
    row = row_of(question={"local": "What is this?", "translated": ""}, options=option)
    assert row["Translated Question"] == "What is this?"
    assert row["Translated Options"] == row["Options"]


def test_ids_count_a_pictures_questions():
    assert [row["ID"] for row in rows_of(Questions(facts(4)))] == ["1_1", "2_2", "3_0", "4_1"]


def test_options_are_ordered_by_the_releases_seed():
    content = Questions(facts(3))
    for number, row in enumerate(rows_of(content), 1):
        options = [option["local"] for option in content.record(number)["options"]]
        order = drawn_order(options, seed=7, number=number)
        assert row["Options"] == [options[i] for i in order]
        assert row["Label"] == order.index(0)


@pytest.mark.parametrize("explanation", [False, True])
def test_no_public_byte_depends_on_which_option_is_right_where_answers_are_withheld(explanation):
    about = facts(40, withheld=True, explanation=explanation)
    one, other = (files_of(Questions(about, right=right)) for right in (0, 2))
    keys = {"multiple_choice-test-key.jsonl", "cvqa-hub-test-key.csv", "tcc-bench-test-key.csv"}
    assert {name for name in one if one[name] != other[name]} == keys
    assert not [name for name in one if about.digest.encode() in one[name]]
    assert {row["Label"] for row in rows_of(Questions(about))} == {-1}
    assert "because of" not in "".join(str(text) for name, text in one.items() if name not in keys)


def test_given_answers_are_in_every_row_and_there_is_no_key():
    assert {row["Label"] for row in rows_of(Questions(facts(40)))} == {0, 1, 2, 3}
    assert [file.name for file in cvqa_hub.EXPORTER.files(facts(40))] == [NAME]


def test_the_key_has_the_labels_of_the_rows():
    given, withheld = facts(40), facts(40, withheld=True)
    labels = {row["ID"]: str(row["Label"]) for row in rows_of(Questions(given))}
    key = list(csv.DictReader(io.StringIO(files_of(Questions(withheld))["cvqa-hub-test-key.csv"].decode())))
    assert {row["ID"]: row["Label"] for row in key} == labels


def test_splits_without_items_and_other_kinds_have_no_files():
    assert cvqa_hub.EXPORTER.files(facts(0)) == []
    assert cvqa_hub.EXPORTER.files(other_facts()) == []


def card_of(content):
    return files_of(content)["README.md"].decode()


def test_the_card_prints_letters_and_chi_square():
    card = card_of(Questions(replace(facts(860), option_seed=3)))
    assert '"3:<number of the item>:<option>"' in card
    assert (
        "Letters of the right option among 4: A 227, B 219, C 192, D 222. Chi-square against equal numbers is\n"
        "3.43 with 3 degrees of freedom (p = 0.330)."
    ) in card


def test_the_card_counts_no_letters_of_withheld_answers():
    card = card_of(Questions(facts(40, withheld=True)))
    assert "## Order of the options" in card
    assert "Questions whose answers are withheld are not counted here." in card
    assert "Letters of the right option" not in card


def test_the_card_of_other_kinds_has_no_section_on_options():
    assert "Order of the options" not in texts("card", Generated(other_facts()))["README.md"]


def test_the_card_counts_items_by_language_and_country():
    card = card_of(Questions(facts()))
    assert "## Languages\n\n| language | tag | country | items |" in card
    assert "| Egyptian Arabic | arz-EG | Egypt | 1 |" in card


class FewPictures(Questions):
    """Two questions on each picture, the first two of them of one category, in the language of its first."""

    def record(self, ordinal):
        first = super().record(ordinal - (ordinal + 1) % 2)
        category = "food" if ordinal in (1, 2, 3) else "geography"
        same = {name: first[name] for name in ("image", *statistics._PAIR)}
        return super().record(ordinal) | same | {"category": category}


def test_the_card_counts_items_and_pictures_by_country_and_category():
    written = card_of(FewPictures(facts(4)))
    first, second = (pairs()[QUESTIONS[n][0]] for n in (0, 2))
    rows = sorted(
        [
            f"| {first['country']['en']} | {first['language']['en']} | 2 (1) | 2 (1) | 0 |",
            f"| {second['country']['en']} | {second['language']['en']} | 2 (1) | 1 (1) | 1 (1) |",
        ]
    )
    table = [
        "## Countries and categories",
        "",
        "Items, and in brackets the pictures that they are about.",
        "",
        "| country | language | all | food | geography |",
        "| --- | --- | ---: | ---: | ---: |",
        *rows,
        "",
    ]
    assert "\n".join(table) in written


def test_the_card_of_a_benchmark_without_teams_has_no_table_of_countries():
    alone = {"country": "", "language_name": "", "language": "zh-Hans"}
    assert "Countries and categories" not in card_of(Questions(facts(3), **alone))
    assert "Countries and categories" not in texts("card", Generated(other_facts()))["README.md"]


def test_the_cards_languages_are_valid_tags_also_of_all_39_pairs():
    front = yaml.safe_load(card_of(Questions(facts())).split("---\n")[1])
    assert {"arz", "zh", "en"} <= set(front["language"])
    assert {"arz-EG", "zh-Hans-CN", "en"} <= set(front["language_bcp47"])
    assert (front["license"], front["license_name"]) == ("other", "per-picture")
    tags = [*front["language"], *front["language_bcp47"], *pairs()]
    assert len(pairs()) == 39
    for tag in tags:
        assert langcodes.tag_is_valid(tag), tag


def test_a_table_has_a_column_for_each_language_and_one_for_the_questions_category():
    head, first, *_ = csv.reader(io.StringIO(texts("csv", Questions(facts(1)))["multiple_choice-test.csv"]))
    assert head[-6:] == [
        "no",
        "category",
        "question_local",
        "question_translated",
        "options_local",
        "options_translated",
    ]
    assert head.count("category") == 1
    assert len(first) == len(head)
