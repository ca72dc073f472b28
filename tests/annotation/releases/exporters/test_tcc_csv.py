"""TCC-Bench's format: its columns, texts that come back as they were typed, the paper's table and drawing."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
import yaml
from django.core.management import call_command

from annotation.releases.exporters import tcc_csv
from annotation.releases.exporters.base import Split
from annotation.releases.exporters.tcc_tables import CATEGORIES, unit_of
from curation.lib.spreadsheets import from_text
from evaluation.profiles.gold_files import gold_rows
from evaluation.profiles.registry import PROFILES
from evaluation.suites.rules import PUBLISHED, SUITES
from evaluation.suites.rules.suite import Context
from tests.annotation.releases.exporters.generated import Generated, Sheet
from tests.annotation.releases.exporters.generated import facts as other_facts
from tests.annotation.releases.exporters.questions import TAXONOMIES, Questions, facts
from tests.annotation.releases.exporters.test_cvqa_hub import files_of
from tests.annotation.releases.exporters.test_hostile_texts import HOSTILE

# Those of the published file.
COLUMNS = [
    "id",
    "Image",
    "Category",
    "Question",
    "A",
    "B",
    "C",
    "D",
    "Answer",
    "Explanation",
    "Question_en",
    "A_en",
    "B_en",
    "C_en",
    "D_en",
    "Explanation_en",
]
# A question, its options with the right one first, its explanation; in Chinese, then in English.
TEXTS = [
    (
        "图中的乐器有几根弦？",
        ["两根。", "三根。", "四根。", "七根。"],
        "这是二胡，它有两根弦。",
        "How many strings does the instrument in the picture have?",
        ["Two.", "Three.", "Four.", "Seven."],
        "This is an erhu. It has two strings.",
    ),
    (
        '=HYPERLINK("https://example.org";"图中")',
        ["'=1+1", "＝一", "-5", "@甲"],
        '＋号前面，有逗号,和"引号"\n还有第二行',
        "'=HYPERLINK(1;2)",
        ["''+1", " +2", "－3", "'@x'"],
        '-1, "quoted"\nand a second line',
    ),
    (
        "𠮷野家的招牌在哪？",
        ["ＡＢＣ，全角", "👨‍👩‍👧🏮", "don't", "'"],
        "a,b;c\td",
        "Where is 𠮷野家's sign?",
        ["ＡＢＣ", "👨‍👩‍👧", "'quoted'", '=,"'],
        '"',
    ),
]
PICTURES = (1, 1, 3)  # the first two are about one picture


def tcc(items=3, **more):
    """The release of a benchmark like TCC-Bench."""
    about = facts(items, explanation=True, **more)
    return replace(about, slug="tcc-bench", label="multiple_choice-v1", language="zh-Hans", languages=["en", "zh-Hans"])


class Tcc(Questions):
    """Its questions, in turn those of ``TEXTS``."""

    def record(self, ordinal):
        place = (ordinal - 1) % len(TEXTS)
        picture = ordinal - place + PICTURES[place] - 1
        at = {name: super(Tcc, self).record(picture)[name] for name in ("id", "image", "image_sha256", "label")}
        words = {"language": "zh-Hans", "language_name": "", "translation_language": "en", "country": ""}
        category = {"category": ("astronomy", "artifact", "artifact")[place], "slot": place % 2}
        return super().record(ordinal) | at | words | category | self._values

    def _content(self, ordinal):
        question, options, explanation, *english = TEXTS[(ordinal - 1) % len(TEXTS)]
        both = [{"local": one, "translated": other} for one, other in zip(options, english[1], strict=True)]
        both.insert(0, both.pop(self._right))
        return {
            "question": {"local": question, "translated": english[0]},
            "options": both,
            "explanation": {"local": explanation, "translated": english[2]},
        }


def written(content, name="VQA.csv"):
    (file,) = [file for file in tcc_csv.EXPORTER.files(content.facts) if file.name == name]
    sheet = Sheet()
    tcc_csv.EXPORTER.write(file, content, sheet)
    return sheet.bytes().decode()


def rows_of(content, name="VQA.csv"):
    return list(csv.DictReader(io.StringIO(written(content, name), newline=""), strict=True))


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "VQA.csv"
    path.write_text(written(Tcc(tcc())), encoding="utf-8", newline="")
    return path


def test_it_has_the_columns_of_the_published_file():
    content = Tcc(tcc())
    assert list(rows_of(content)[0]) == COLUMNS
    assert rows_of(content)[0] == {
        "id": "1_0",
        "Image": "test/A/1-panda/A-1-1.png",
        "Category": "Astronomy",
        "Question": "图中的乐器有几根弦？",
        "A": "七根。",
        "B": "四根。",
        "C": "三根。",
        "D": "两根。",
        "Answer": "D",
        "Explanation": "这是二胡，它有两根弦。",
        "Question_en": "How many strings does the instrument in the picture have?",
        "A_en": "Seven.",
        "B_en": "Four.",
        "C_en": "Three.",
        "D_en": "Two.",
        "Explanation_en": "This is an erhu. It has two strings.",
    }
    assert [row["id"] for row in rows_of(content)] == ["1_0", "1_1", "3_0"]
    assert all(f"images/{row['Image']}" == content.record(n)["image"] for n, row in enumerate(rows_of(content), 1))


def test_every_category_of_the_paper_is_spelled_as_published():
    taxonomy = yaml.safe_load((TAXONOMIES / "tcc-bench.yaml").read_text(encoding="utf-8"))
    assert {one["slug"]: one["name"]["en"] for one in taxonomy["fields"][0]["categories"]} == CATEGORIES
    assert rows_of(Tcc(tcc(1), category="tea"))[0]["Category"] == "tea"


def test_every_text_comes_back_as_the_json_lines_have_it():
    content = Tcc(tcc())
    lines = [json.loads(line) for line in files_of(content)["multiple_choice-test.jsonl"].splitlines()]
    for row, record in zip(rows_of(content), lines, strict=True):
        texts = {name: from_text(cell) for name, cell in row.items()}
        for side, end in (("local", ""), ("translated", "_en")):
            assert texts[f"Question{end}"] == record["question"][side]
            assert texts[f"Explanation{end}"] == record["explanation"][side]
            options = [texts[f"{letter}{end}"] for letter in "ABCD"]
            assert sorted(options) == sorted(option[side] for option in record["options"])
            assert options["ABCD".index(row["Answer"])] == record["options"][0][side]


def test_no_cell_is_a_formula():
    cells = [cell for row in rows_of(Tcc(tcc())) for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip(" ").startswith(tuple("=+-@\t\r\n＝＋－＠"))]
    assert '\'=HYPERLINK("https://example.org";"图中")' in cells
    assert "''=1+1" in cells  # of the text '=1+1
    assert "don't" in cells


def card_of(content):
    return files_of(content)["README.md"].decode()


def test_the_card_names_every_cell_with_an_apostrophe():
    content = Tcc(tcc())
    card = card_of(content)
    listed = dict(re.findall(r"^\| (\d+_\d) \| (.+) \|$", card, re.MULTILINE))
    in_card = {(name, column) for name, columns in listed.items() for column in columns.split(", ")}
    in_file = {
        (row["id"], column) for row in rows_of(content) for column, cell in row.items() if from_text(cell) != cell
    }
    assert in_card == in_file
    assert len(in_file) == 13
    assert "Each text that spreadsheets would take for a formula has an apostrophe before it" in card
    assert "would take for a formula has an apostrophe before it that" not in card_of(Tcc(tcc(1)))


def scored(gold, profile, response_of):
    """What ``manage.py score`` reports on a response to each question, made of its row and its record."""
    answers, report = gold.with_name("answers.jsonl"), gold.with_name("report.json")
    content = Tcc(tcc())
    rows = [
        {"id": row["id"], "response": response_of(row, content.record(ordinal))}
        for ordinal, row in enumerate(rows_of(content), 1)
    ]
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    call_command("score", profile, gold=gold, predictions=[str(answers)], out=report)
    return json.loads(report.read_text())


@pytest.mark.parametrize("profile", ["tcc-mcq/paper", "tcc-mcq/official", "tcc-mcq/robust"])
def test_the_right_answers_score_full_marks(gold, profile):
    report = scored(gold, profile, lambda row, record: row["Answer"])
    assert report["metrics"]["accuracy"]["value"] == 1.0
    assert (report["n_expected"], report["n_scored"], report["n_unknown_ids"]) == (3, 3, 0)
    domains = {name: of["metrics"]["accuracy"] for name, of in report["breakdowns"]["domain"].items()}
    assert {name: (of["n"], of["value"]) for name, of in domains.items()} == {
        "Astronomy": (1, 1.0),
        "Artifact": (2, 1.0),
    }


def test_the_texts_of_the_right_options_score_full_marks(gold):
    report = scored(gold, "tcc-mcq/robust", lambda row, record: record["options"][0]["local"])
    assert (report["metrics"]["accuracy"]["value"], report["n_scored"]) == (1.0, 3)


@pytest.mark.parametrize(("side", "key"), [("content", "local"), ("en", "translated")])
def test_models_get_the_texts_as_typed_in_both_languages(gold, side, key):
    content, profile = Tcc(tcc()), PROFILES["tcc-mcq/paper"]
    for ordinal, row in enumerate(gold_rows(gold), 1):
        (entry,) = SUITES["tcc"].entries(row, list(profile.read_questions(row)), Context(side=side))
        record = content.record(ordinal)
        assert entry.values["question"] == record["question"][key]
        assert sorted(entry.options) == sorted(option[key] for option in record["options"])


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_out_of_its_cell(tmp_path, text):
    path = tmp_path / "VQA.csv"
    values = {"question": {"local": text, "translated": text}, "explanation": {"local": text, "translated": text}}
    path.write_bytes(written(Tcc(tcc(2), **values)).encode())
    for row in gold_rows(path):
        cells = [row.fields[name] for name in ("Question", "Question_en", "Explanation", "Explanation_en")]
        assert cells == [text] * 4
        assert list(row.fields) == COLUMNS


def test_its_ids_and_letters_are_those_of_the_releases_submissions():
    content = Tcc(tcc())
    expected = [
        (row["id"], row["gold"])
        for ordinal in content.facts.rows
        for row in PUBLISHED["multiple_choice"].gold(content.record(ordinal), content.facts.option_seed)
    ]
    assert [(row["id"], row["Answer"]) for row in rows_of(content)] == expected


def test_withheld_answers_are_in_the_key_alone():
    content, given = Tcc(tcc(withheld=True)), rows_of(Tcc(tcc()))
    withheld = rows_of(content)
    answers = ("Answer", "Explanation", "Explanation_en")
    assert {row[name] for row in withheld for name in answers} == {""}
    assert [row | dict.fromkeys(answers, "") for row in given] == withheld
    key = rows_of(content, "tcc-bench-test-key.csv")
    assert key == [{"id": row["id"], "Answer": row["Answer"]} for row in given]


def test_splits_have_files_of_their_own_and_the_test_the_published_name():
    splits = [Split("train", 50, 3, 3, 1), Split("valid", 0, 0, 0, 4), Split("test", 50, 3, 3, 4, withheld=True)]
    content = Tcc(replace(tcc(6), splits=splits))
    files = {file.name: file.is_key for file in tcc_csv.EXPORTER.files(content.facts)}
    assert files == {
        "tcc-bench-train.csv": False,
        "VQA.csv": False,
        "tcc-bench-test-key.csv": True,
        "tcc-bench-statistics.csv": False,
        "tcc-bench-categories.svg": False,
    }
    assert [row["id"] for row in rows_of(content, "tcc-bench-train.csv")] == ["1_0", "1_1", "3_0"]
    assert [row["id"] for row in rows_of(content)] == ["4_0", "4_1", "6_0"]
    assert "In the files `cvqa-hub-*`, `tcc-bench-train.csv`, `VQA.csv` the options" in card_of(content)


def test_other_kinds_and_empty_releases_have_no_files():
    assert tcc_csv.EXPORTER.files(other_facts()) == []
    assert tcc_csv.EXPORTER.files(tcc(0)) == []
    assert "## Questions" not in files_of(Generated(other_facts(items=1)))["README.md"].decode()


def test_every_mark_of_a_table_is_a_place_to_go_on_from():
    content = Tcc(tcc(7))
    (file,) = [file for file in tcc_csv.EXPORTER.files(content.facts) if file.name == "VQA.csv"]
    whole = Sheet()
    tcc_csv.EXPORTER.write(file, content, whole)
    assert [done for _, done, _ in whole.marks] == [2, 4, 6, 8, 10, 12, 14]
    assert whole.marks[-1][1] == file.steps
    for begun in whole.marks:
        rest = Sheet(*begun)
        tcc_csv.EXPORTER.write(file, content, rest)
        assert rest.bytes() == whole.bytes()


# A second question about the first picture.
TWO = {
    "question": {"local": "1. 是吗？", "translated": "Is it - yes?"},
    "options": [{"local": one, "translated": f"{one} b"} for one in ("一", "二二", "三三三", "四四四四")],
    "explanation": {"local": "对。", "translated": ""},
}


class OfThePaper(Tcc):
    def record(self, ordinal):
        return super().record(ordinal) | (TWO if ordinal == 2 else {})


def test_the_papers_table_counts_characters_in_chinese_and_words_in_english():
    content = OfThePaper(tcc(2))
    statistics = {(row["name"], row["of"]): row["value"] for row in rows_of(content, "tcc-bench-statistics.csv")}
    assert statistics == {
        ("pictures", ""): "1",
        ("questions", ""): "2",
        ("questions_per_picture", ""): "2.0000",
        ("options", ""): "8",
        ("question_characters", "zh-Hans"): "6.0000",  # 9 and 3
        ("question_words", "en"): "6.5000",  # 10 and 3
        ("option_characters", "zh-Hans"): "2.2500",  # 2, 2, 2, 2 and 1, 2, 3, 4
        ("option_words", "en"): "1.5000",
        ("explanation_characters", "zh-Hans"): "5.0000",  # 9 and 1
        ("explanation_words", "en"): "8.0000",
        ("questions", "Astronomy"): "1",
        ("questions", "Artifact"): "1",
    }
    assert (
        "## Questions\n\n| pictures | questions | questions per picture | options |\n| ---: | ---: | ---: | ---: |\n"
        "| 1 | 2 | 2.00 | 8 |\n"
    ) in card_of(content)
    assert (
        "| language | unit | question | option | explanation |\n| --- | --- | ---: | ---: | ---: |\n"
        "| zh-Hans | characters | 6.0 | 2.2 | 5.0 |\n| en | words | 6.5 | 1.5 | 8.0 |\n"
    ) in card_of(content)


def test_what_is_withheld_is_not_counted():
    names = {row["name"] for row in rows_of(Tcc(tcc(withheld=True)), "tcc-bench-statistics.csv")}
    assert names >= {"question_words", "option_words"}
    assert not [name for name in names if name.startswith("explanation")]


@pytest.mark.parametrize(
    ("tag", "unit"),
    [
        ("zh-Hans", "characters"),
        ("zh-Hant-TW", "characters"),
        ("ja-JP", "characters"),
        ("en", "words"),
        ("ko", "words"),
        ("fr", "words"),
    ],
)
def test_lengths_are_in_characters_where_no_blanks_are_between_words(tag, unit):
    assert unit_of(tag) == unit


def test_the_papers_figure_has_a_bar_for_each_category_in_the_papers_order():
    content = Tcc(tcc(6))
    drawing = written(content, "tcc-bench-categories.svg")
    texts = ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - our own
    assert [text.text for text in texts] == [
        "Astronomy",
        "Artifact",
        "2 (33.3%)",
        "4 (66.7%)",
        "Questions by category",
        "tcc-bench, multiple_choice-v1: 6 questions on 4 pictures",
    ]
    assert (
        "![Questions by category](tcc-bench-categories.svg)\n\n"
        "| category | questions | share |\n| --- | ---: | ---: |\n"
        "| Astronomy | 2 | 33.3% |\n| Artifact | 4 | 66.7% |\n"
    ) in card_of(content)
