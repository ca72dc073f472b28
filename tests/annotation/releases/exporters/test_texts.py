"""JSON lines, licences, card and checksums: their exact bytes."""

import csv
import io
from datetime import UTC, datetime

import yaml

from annotation.releases.exporters import card, checksums, jsonl, licences
from annotation.releases.exporters.base import Facts, Split
from annotation.releases.exporters.registry import chosen

FACTS = Facts(
    label="captions-v3",
    kind="captions",
    slug="cvlue",
    title={"zh-Hans": "花灯|测试", "zh-Hant": "花燈|測試", "en": "Lantern <test>"},
    language="zh-Hans",
    licence="CC-BY-NC-ND-4.0",
    protocol_name="cvlue",
    protocol_version=2,
    protocol_sha256="cd" * 32,
    seed=42,
    digest="ef" * 32,
    event_id=99,
    frozen_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    splits=[Split("train", 60, 2, 3), Split("valid", 10, 0, 0), Split("test", 30, 1, 1)],
    licences={"CC-BY-4.0": 2, "own-work": 1},
)


def record(number, author="甲"):
    return {
        "label": f"img-{number:04d}",
        "split": "train",
        "image": f"images/{number}.png",
        "licence": "CC-BY-4.0",
        "source": {"kind": "external", "url": "https://example.org/a,b", "author": author},
        "image_sha256": "ab",
    }


class Content:
    facts = FACTS

    def __init__(self, *records, written=()):
        self._records, self._written = records, dict(written)

    def records(self, splits):
        return iter(self._records)

    def written(self):
        return self._written


def text(exporter, name, content):
    out = io.BytesIO()
    exporter.write(name, content, out)
    assert not out.closed
    return out.getvalue().decode()


def test_files_of_a_release_are_listed_with_the_splits_they_read():
    listed = {
        name: tuple(splits) for e in chosen(["parquet", "jsonl", "parquet"]) for name, splits in e.files(FACTS).items()
    }
    assert list(listed.items()) == [
        ("captions-train.parquet", ("train",)),
        ("captions-valid.parquet", ("valid",)),
        ("captions-test.parquet", ("test",)),
        ("captions-train.jsonl", ("train",)),
        ("captions-valid.jsonl", ("valid",)),
        ("captions-test.jsonl", ("test",)),
        ("licences.csv", ("train", "valid", "test")),
        ("README.md", ("train", "valid", "test")),
        ("checksums.txt", ()),
    ]


def test_json_lines_have_sorted_keys_and_no_blanks():
    written = text(jsonl.EXPORTER, "captions-train.jsonl", Content({"b": "字", "a": [1]}, {"a": 2}))
    assert written == '{"a":[1],"b":"字"}\n{"a":2}\n'


def test_licences_name_each_picture_once_with_its_author():
    written = text(licences.EXPORTER, "licences.csv", Content(record(1), record(1), record(2, '乙, "丙"\n丁')))
    assert list(csv.reader(io.StringIO(written))) == [
        ["label", "split", "image", "licence", "source_kind", "source_url", "source_author", "image_sha256"],
        ["img-0001", "train", "images/1.png", "CC-BY-4.0", "external", "https://example.org/a,b", "甲", "ab"],
        ["img-0002", "train", "images/2.png", "CC-BY-4.0", "external", "https://example.org/a,b", '乙, "丙"\n丁', "ab"],
    ]


def test_checksums_are_sorted_by_name():
    content = Content(written={"b.csv": "2" * 64, "a.csv": "1" * 64})
    assert text(checksums.EXPORTER, "checksums.txt", content) == f"{'1' * 64}  a.csv\n{'2' * 64}  b.csv\n"


def test_the_cards_front_matter_leads_datasets_to_the_splits_that_hold_something():
    written = text(card.EXPORTER, "README.md", Content(written=dict.fromkeys(parquet_files(), "0")))
    front = yaml.safe_load(written.split("---\n")[1])
    assert front == {
        "pretty_name": "Lantern <test>",
        "language": ["zh-Hans"],
        "license": "cc-by-nc-nd-4.0",
        "size_categories": ["n<1K"],
        "tags": ["lantern", "captions"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": "train", "path": "captions-train.parquet"},
                    {"split": "test", "path": "captions-test.parquet"},
                ],
            }
        ],
    }


def parquet_files():
    return [f"captions-{split}.parquet" for split in ("train", "valid", "test")]


def test_the_card_tells_counts_licences_seed_protocol_and_digest():
    written = text(card.EXPORTER, "README.md", Content(written=dict.fromkeys(jsonl.EXPORTER.files(FACTS), "0")))
    assert "# 花灯\\|测试 · 花燈\\|測試 · Lantern &lt;test>: captions-v3\n" in written
    assert "up to event 99 and was frozen at 2026-01-02T03:04:05Z" in written
    assert "| train | 60 % | 2 | 3 |\n| valid | 10 % | 0 | 0 |\n| test | 30 % | 1 | 1 |\n| all | | 3 | 4 |\n" in written
    assert "| CC-BY-4.0 | 2 |\n| own-work | 1 |\n" in written
    assert 'sha256("42:" followed by' in written
    assert f"protocol `cvlue`, version 2, sha256 of its file\n`{'cd' * 32}`" in written
    assert f"`{'ef' * 32}`" in written
    assert "`cat captions-train.jsonl captions-valid.jsonl captions-test.jsonl | sha256sum` gives it." in written
    assert "configs" not in written


def test_the_card_names_the_kinds_fields_and_counts_its_texts():
    records = ({"captions": ["一只狮子。", "a 🏮"]}, {"captions": ["一只狮子。", "𠮷屋"]})
    written = text(card.EXPORTER, "README.md", Content(*records))
    assert "| captions | the captions, in the order they were written |\n" in written
    assert "| captions | 4 | 3 | 1 | 2.8 | 4 |\n" in written  # 4 + 1 + 4 + 2 = 11 of four
