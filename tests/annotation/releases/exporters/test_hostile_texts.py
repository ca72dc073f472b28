"""Texts that break out of careless files: each format's usual reader gives back exactly what was typed, and no more."""

import csv
import io
import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from markdown_it import MarkdownIt

from annotation.imports.rules.jsonl import JsonLines
from annotation.imports.rules.label_studio import LabelStudio
from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Written
from curation.core import text
from curation.core.errors import TextRefused
from tests.annotation.releases.exporters.generated import Generated, Sheet, facts, texts

HOSTILE = [
    "=HYPERLINK(1;2)",
    "  +1",
    "＝1+1",
    "@SUM(1)",
    "-2+3",
    "</script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=2>",
    '"},{"id":0,"answer":"x"},{"',
    '"quoted", comma; semicolon\ttab',
    "line\nbreak\r\nand\rreturn",
    "line\u2028separator\u2029paragraph\u0085next",
    "--- \nlicense: mit\n---",
    "a: b #c &d *e !f %g {h} [i] ~ 'j' \\k",
    "[x](javascript:window.hit=3) ![y](https://a.example/z.png) `code` **bold** | cell |",
    "\ufeffbom \u200b\u200d\u00ad 𠮷 e\u0301 🏮",
    "null",
    "1e5",
    "",
    "x" * 10_000,
]


class Content(Generated):
    """Releases whose every text is hostile; ``texts`` are the captions of each item."""

    def __init__(self, about, written=(), **values):
        super().__init__(about)
        self._values = values
        self.written().update(dict.fromkeys(written, Written("0", 1)))

    def record(self, ordinal):
        return super().record(ordinal) | self._values


CAPTIONS = facts(items=10)
PAIRS = facts("vqa", items=10)
SOURCE = {"kind": "external", "url": "https://a.example/?<script>", "author": "=cmd|' /C calc'!A0\n</script>"}


def captions(**values):
    return Content(CAPTIONS, captions=HOSTILE, source=SOURCE, **values)


def pairs():
    return Content(PAIRS, pairs=[{"question": one, "answer": one} for one in HOSTILE], source=SOURCE)


def in_cell(value):
    """As a spreadsheet's cell: what would be a formula has an apostrophe before it."""
    return f"'{value}" if value.lstrip(" ").startswith(tuple("=+-@\t\r\n＝＋－＠")) else value


def test_json_lines():
    lines = texts("jsonl", captions())["captions-train.jsonl"].split("\n")
    assert lines.pop() == ""
    assert len(lines) == 6
    plain = json.loads(texts("jsonl", Generated(CAPTIONS))["captions-train.jsonl"].split("\n")[0])
    for line in lines:
        record = json.loads(line)
        assert record["captions"] == HOSTILE
        assert record["source"] == SOURCE
        assert record.keys() == plain.keys()


def test_json_lines_are_imported_again():
    written = texts("jsonl", captions())["captions-train.jsonl"]
    rows = list(JsonLines().rows(io.StringIO(written, newline=""), CAPTIONS.tree))
    assert [row.content for row in rows] == [{"captions": HOSTILE}] * 6


def test_comma_separated_values():
    written = texts("csv", captions())["captions-train.csv"]
    head, *rows = csv.reader(io.StringIO(written, newline=""))
    assert {len(row) for row in rows} == {len(head)}
    assert [row[-1] for row in rows] == [in_cell(one) for one in HOSTILE] * 6
    assert {row[head.index("source_author")] for row in rows} == {in_cell(SOURCE["author"])}
    assert not [cell for row in rows for cell in row if cell.lstrip(" ").startswith(("=", "+", "@", "＝"))]
    head, *rows = csv.reader(io.StringIO(texts("csv", pairs())["vqa-train.csv"], newline=""))
    assert [row[-2:] for row in rows] == [[in_cell(one)] * 2 for one in HOSTILE] * 6


def test_licences():
    written = texts("licences", captions())["licences.csv"]
    head, *rows = csv.reader(io.StringIO(written, newline=""))
    assert {row[head.index("source_author")] for row in rows} == {in_cell(SOURCE["author"])}
    assert {len(row) for row in rows} == {len(head)}


def test_parquet():
    for content, name, value in (
        (captions(), "captions", HOSTILE),
        (pairs(), "pairs", [{"question": one, "answer": one} for one in HOSTILE]),
    ):
        exporter = registry.DATA["parquet"]
        (file,) = (file for file in exporter.files(content.whole) if "-train-" in file.name)
        sheet = Sheet()
        exporter.write(file, content, sheet)
        sheet.file.seek(0)
        table = pq.read_table(pa.BufferReader(sheet.file.read()))
        assert table.column(name).to_pylist() == [value] * 6
        assert table.column("source").to_pylist() == [SOURCE] * 6


def test_coco_captions():
    written = json.loads(texts("coco_captions", captions())["captions-train-coco.json"])
    assert written.keys() == {"info", "licenses", "images", "annotations"}
    assert [row["caption"] for row in written["annotations"]] == HOSTILE * 6
    assert [row["id"] for row in written["annotations"]] == list(range(1, 6 * len(HOSTILE) + 1))
    assert {tuple(row) for row in written["annotations"]} == {("id", "image_id", "caption")}


def test_label_studio():
    written = texts("label_studio", captions())["captions-train-label-studio.json"]
    tasks = json.loads(written)
    assert [task["annotations"][0]["result"][0]["value"] for task in tasks] == [{"text": HOSTILE}] * 6
    rows = list(LabelStudio().rows(io.StringIO(written, newline=""), CAPTIONS.tree))
    assert [row.content for row in rows] == [{"captions": HOSTILE}] * 6


def test_cvlue():
    written = texts("cvlue_published", captions())
    assert [row["caption"] for row in json.loads(written["cvlue-ic-train.json"])] == [HOSTILE] * 6
    assert sorted(json.loads(written["cvlue-ic-test-captions.json"])) == sorted(HOSTILE)
    written = texts("cvlue_published", pairs())
    assert [(row["question"], row["answer"]) for row in json.loads(written["cvlue-vqa-train.json"])] == [
        (one, one) for one in HOSTILE
    ] * 6
    assert sorted(json.loads(written["cvlue-vqa-answer_list.json"])) == sorted(HOSTILE)


def test_withheld_answers():
    withheld = replace(CAPTIONS, splits=[replace(split, withheld=split.name == "test") for split in CAPTIONS.splits])
    key = texts("key", Content(withheld, captions=HOSTILE))["captions-test-key.jsonl"]
    assert [json.loads(line)["captions"] for line in key.split("\n")[:-1]] == [HOSTILE] * 3
    for name, written in texts("jsonl", Content(withheld, captions=HOSTILE)).items():
        assert ("window.hit" in written) is (name != "captions-test.jsonl")


# Titles have one line; notes have several.
TITLES = [one for one in HOSTILE if one and "\n" not in one and "\u0085" not in one]


def card(**values):
    return texts("card", Content(replace(CAPTIONS, **values)))["README.md"]


@pytest.mark.parametrize("title", TITLES, ids=range(len(TITLES)))
def test_no_title_adds_to_the_cards_front_matter(title):
    names = dict.fromkeys(("zh-Hans", "zh-Hant", "en"), title)
    written = card(title=names, notes="\n".join(HOSTILE))
    _, front, body = written.split("---\n", 2)
    plain = yaml.safe_load(card().split("---\n")[1])
    assert yaml.safe_load(front) == plain | {"pretty_name": title}
    assert len([line for line in front.splitlines() if line.startswith("pretty_name")]) == 1
    assert body.startswith("\n# ")


def test_nothing_typed_is_markup_in_the_card():
    """Read as GitHub and the hub do: no element, link, picture, heading or table's cell is made of a text."""
    markdown = MarkdownIt("commonmark").enable("table")
    plain = [token.type for token in markdown.parse(card(notes="x").split("---\n", 2)[2])]
    for typed in HOSTILE:
        if not typed.strip() or len(typed) > 1_000:
            continue
        title = " ".join(typed.split())
        body = card(title={"zh-Hans": title, "en": "x"}, notes=typed).split("---\n", 2)[2]
        tokens = markdown.parse(body)
        inline = {child.type for token in tokens for child in token.children or ()}
        assert inline <= {"text", "softbreak", "code_inline", "text_special"}, typed
        assert [token.type for token in tokens] == plain, typed
    words = " ".join(
        child.content
        for token in markdown.parse(card(notes="\n".join(HOSTILE[:8])).split("---\n", 2)[2])
        for child in token.children or ()
    )
    for typed in HOSTILE[:8]:
        assert typed.strip() in words


def test_croissant():
    title = '</script><script>window.hit=1</script>\u2028"}'
    written = texts("croissant", Content(replace(CAPTIONS, title={"en": title}), ["captions-train.jsonl"]))
    about = json.loads(written["croissant.json"])
    plain = json.loads(texts("croissant", Content(CAPTIONS, ["captions-train.jsonl"]))["croissant.json"])
    assert about.keys() == plain.keys()
    assert about["@context"] == plain["@context"]
    assert about["description"].startswith(title)
    assert about["citeAs"].count("{") == about["citeAs"].count("}") == 5
    assert "</script" not in written["croissant.json"]  # pages put it into a script element as it is


def test_what_no_format_holds_is_never_stored():
    for refused in ("a\0b", "a\ud800b", "a\u202eb", "a\x1bb", "a\u0085b"):
        with pytest.raises(TextRefused):
            text.clean(refused, lines=True)
