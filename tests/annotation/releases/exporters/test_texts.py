"""JSON lines, tables, keys, changes, licences, card and checksums: their exact bytes."""

import csv
import hashlib
import io
from dataclasses import replace

import yaml

from annotation.releases.exporters.base import Split, Written
from annotation.releases.exporters.cells import line
from tests.annotation.releases.exporters.generated import Generated, facts, texts
from tests.kinds import tree_of

FACTS = replace(
    facts(),
    title={"zh-Hans": "花灯|测试", "zh-Hant": "花燈|測試", "en": "Lantern <test>"},
    splits=[Split("train", 60, 2, 3), Split("valid", 10, 0, 0, 4), Split("test", 30, 1, 1, 4, withheld=True)],
    licences={"CC-BY-4.0": 2, "own-work": 1},
    changes={"added": 2, "removed": 1, "changed": 0},
)


class Content(Generated):
    """Three items for training, two of them on one picture, and one to be tested with."""

    def __init__(self, about=FACTS, written=(), **values):
        super().__init__(about)
        self._values = values
        self.written().update(dict.fromkeys(written, Written("0", 1)))

    def record(self, ordinal):
        picture = max(1, ordinal - 1)
        record = super().record(ordinal)
        return record | {"id": picture, "image": f"images/{record['split']}/{picture}.png"} | self._values


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_json_lines_have_sorted_keys_and_no_blanks():
    files = texts("jsonl", Content())
    assert [text.count("\n") for text in files.values()] == [3, 0, 1]
    first, *_ = files["captions-train.jsonl"].splitlines()
    assert first.startswith('{"captions":["第1张图片里有第0样东西，在灯下面",')
    assert first.endswith('"split":"train","subset":"A","width":24}')


def test_withheld_answers_are_in_the_key_file_only():
    content = Content()
    assert '{"captions":[],"category"' in texts("jsonl", content)["captions-test.jsonl"]
    captions = ",".join(f'"第4张图片里有第{i}样东西，在灯下面"' for i in range(5))
    assert texts("key", content) == {
        "captions-test-key.jsonl": f'{{"captions":[{captions}],"image":"images/test/3.png","item":"cap-000004"}}\n'
    }
    assert texts("key", Generated(facts())) == {}


def test_a_table_has_a_row_for_each_text():
    files = texts("csv", Content(captions=["一,二", "=3+4"]))
    head, *written = rows(files["captions-train.csv"])
    assert head[-5:] == ["source_author", "split", "protocol_version", "no", "captions"]
    assert [row[-2:] for row in written] == [["1", "一,二"], ["2", "'=3+4"]] * 3
    assert [row[3] for row in written] == [f"cap-00000{n}" for n in (1, 1, 2, 2, 3, 3)]
    assert [row[-2:] for row in rows(files["captions-test.csv"])[1:]] == [["", ""]]
    assert rows(files["captions-valid.csv"]) == [head]


def test_a_table_of_questions_has_a_column_for_each_part():
    pairs = [{"answer": "竹子", "question": "吃什么？"}, {"answer": "一只", "question": "几只？"}]
    head, *written = rows(
        texts("csv", Content(replace(FACTS, kind="vqa", tree=tree_of("vqa")), pairs=pairs))["vqa-train.csv"]
    )
    assert head[-3:] == ["no", "question", "answer"]
    assert [row[-3:] for row in written[:2]] == [["1", "吃什么？", "竹子"], ["2", "几只？", "一只"]]


def test_no_cell_is_a_formula():
    assert rows(line(["x", "=1", " +1", "1-1", -1, ""]).decode()) == [["x", "'=1", "' +1", "1-1", "-1", ""]]


def test_a_cell_with_any_end_of_a_line_is_quoted():
    cells = ["x\ry", "x\ny", "x\r\ny", "z"]
    assert list(csv.reader(io.StringIO(line(cells).decode(), newline=""), strict=True)) == [cells]
    assert line(["x", "y"]) == b"x,y\n"


def test_licences_name_each_picture_once_with_its_author():
    source = {"kind": "external", "url": "https://example.org/a,b", "author": '乙, "丙"\n丁'}
    head, *written = rows(texts("licences", Content(source=source))["licences.csv"])
    assert head == ["label", "split", "image", "licence", "source_kind", "source_url", "source_author", "image_sha256"]
    assert [row[:7] for row in written] == [
        [label, split, f"images/{split}/{n}.png", "CC-BY-4.0", "external", "https://example.org/a,b", '乙, "丙"\n丁']
        for label, split, n in (("img-0001", "train", 1), ("img-0003", "train", 2), ("img-0004", "test", 3))
    ]
    assert written[0][7] == hashlib.sha256(bytes([0, 0, 0, 1]) * 100).hexdigest()


def test_changes_are_a_line_each_and_none_for_the_first_release():
    assert texts("changes", Content())["changes.jsonl"].count("\n") == 3
    assert texts("changes", Content(replace(FACTS, changes={}))) == {"changes.jsonl": ""}


def test_checksums_are_sorted_by_name_and_name_no_key():
    content = Content()
    content.written().update({"b.csv": Written("2" * 64, 9), "a.jsonl": Written("1" * 64, 9)})
    content.written()["test-key.csv"] = Written("3" * 64, 9, is_key=True)
    assert texts("checksums", content) == {"checksums.txt": f"{'1' * 64}  a.jsonl\n{'2' * 64}  b.csv\n"}


SHARDS = [f"captions-{split}-00000-of-00001.parquet" for split in ("train", "valid", "test")]
LINES = [f"captions-{split}.jsonl" for split in ("train", "valid", "test")]


def card(content):
    return texts("card", content)["README.md"]


def test_the_card_begins_with_what_the_hub_reads():
    front = yaml.safe_load(card(Content(written=SHARDS)).split("---\n")[1])
    assert front == {
        "pretty_name": "Lantern <test>",
        "language": ["zh"],
        "language_bcp47": ["zh-Hans"],
        "license": "cc-by-nc-nd-4.0",
        "size_categories": ["n<1K"],
        "tags": ["lantern", "captions"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": "train", "path": "captions-train-*.parquet"},
                    {"split": "test", "path": "captions-test-*.parquet"},
                ],
            }
        ],
    }


def test_a_language_without_script_or_country_is_named_once():
    front = yaml.safe_load(card(Content(replace(FACTS, language="en"))).split("---\n")[1])
    assert front["language"] == ["en"]
    assert "language_bcp47" not in front


def test_the_card_tells_counts_licences_consent_versions_and_seed():
    written = card(Content(replace(FACTS, left_out={"item_returned": 4}, notes="第一行\n| 第二行"), written=LINES))
    assert "# 花灯\\|测试 · 花燈\\|測試 · Lantern &lt;test>: captions-v3\n" in written
    assert "up to event 99 and was frozen at 2026-01-02T03:04:05Z" in written
    assert "Not included: 4 items returned.\n\n第一行\n\\| 第二行\n" in written
    assert "| train | 60% | 2 | 3 | given |\n| valid | 10% | 0 | 0 | given |\n" in written
    assert "| test | 30% | 1 | 1 | withheld |\n| all | | 3 | 4 | |\n" in written
    assert "Against `captions-v2`: 2 added, 1 removed, 0 changed." in written
    assert "| CC-BY-4.0 | 2 |\n| own-work | 1 |\n" in written
    assert f"agreed to version 1 of the benchmark's text, sha256 `{'ab' * 32}`" in written
    assert '"42:", has the smallest sha256; the seed is 42.' in written
    assert f"| protocol `cvlue` | 2, file's sha256 `{'cd' * 32}` |" in written
    assert "| compared with | captions-v2 |" in written
    assert "ef" * 32 not in written  # from few answers, the digest would show which are right
    assert "sha256sum` gives it" not in written
    assert "configs" not in written


def test_without_withheld_answers_the_lines_add_up_to_the_digest():
    open_ = replace(FACTS, splits=[replace(split, withheld=False) for split in FACTS.splits])
    written = card(Content(open_, written=LINES))
    assert f"`{'ef' * 32}`" in written
    assert "`cat captions-train.jsonl captions-valid.jsonl captions-test.jsonl | sha256sum` gives it." in written


def test_the_card_of_a_first_release_without_consent_and_of_numbers_instead_of_shares():
    bare = replace(FACTS, consent={}, previous="", changes={}, splits=[replace(s, percent=None) for s in FACTS.splits])
    written = card(Content(bare))
    assert "The first release of its kind." in written
    assert "asks contributors for no consent of their own" in written
    assert "| train | | 2 | 3 | given |" in written.replace("|  |", "| |")


def test_the_card_names_the_kinds_fields_and_counts_pictures_and_texts():
    written = card(Content(captions=["一只狮子。", "a 🏮", "𠮷屋"]))
    assert "| captions | the captions, in the order they were written |\n" in written
    assert "| panda | 3 | 4 |\n" in written
    assert "| width | 24 | 24 | 24 |\n| height | 16 | 16 | 16 |\n" in written
    assert "| captions | 9 | 3 | 1 | 2.3 | 4 |\n" in written  # 4 + 1 + 2, three times; the tested ones are withheld
