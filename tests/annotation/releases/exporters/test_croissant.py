"""Croissant as its own library reads it: valid, and the records come through."""

import io
import json

import mlcroissant
import pytest
from PIL import Image as Pillow

from tests.annotation.releases.exporters.generated import Generated, facts, write


class Pictured(Generated):
    """Content whose pictures can be opened."""

    def picture(self, ordinal):
        out = io.BytesIO()
        Pillow.new("RGB", (24, 16), (ordinal, 0, 0)).save(out, "PNG")
        return out.getvalue()


def opened(folder):
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert (list(issues.errors), list(issues.warnings)) == ([], [])
    return dataset


def plain(value):
    return (
        value.decode() if isinstance(value, bytes) else [plain(v) for v in value] if isinstance(value, list) else value
    )


@pytest.mark.parametrize("kind", ["captions", "vqa", "boxes"])
def test_records_come_through_from_lines_and_from_shards(tmp_path, kind):
    content = Pictured(facts(kind, 10, withheld=["test"]))
    write(tmp_path, content, ["jsonl", "parquet", "croissant"])
    dataset = opened(tmp_path)
    assert [r.id for r in dataset.metadata.record_sets] == [
        f"{split}{end}" for split in ("train", "valid", "test") for end in ("", "-pictures")
    ]
    for split in content.facts.splits:
        expected = list(content.records(split.rows))
        for name in (split.name, f"{split.name}-pictures"):
            rows = [{k.partition("/")[2]: plain(v) for k, v in row.items()} for row in dataset.records(name)]
            assert [row["id"] for row in rows] == list(split.rows)
            for row, record in zip(rows, expected, strict=True):
                assert row["source_author"] == "摄影者, 甲"
                if kind == "captions":
                    assert list(row["captions"]) == record["captions"]
                elif kind == "boxes":
                    assert list(row["boxes_category"]) == [box["category"] for box in record["boxes"]]
                    boxes = [list(box) for box in row.get("boxes_box", [])]
                    expected_boxes = [box["box"] for box in record["boxes"]]
                    assert boxes == ([] if name.endswith("-pictures") else expected_boxes)
                else:
                    assert list(row["pairs_question"]) == [pair["question"] for pair in record["pairs"]]
                    assert list(row["pairs_answer"]) == [pair["answer"] for pair in record["pairs"]]
                if name.endswith("-pictures"):
                    assert row["picture"].convert("RGB").getpixel((3, 3)) == (row["id"], 0, 0)


def test_key_files_and_files_that_are_not_there_are_not_named(tmp_path):
    content = Generated(facts("captions", 5, withheld=["test"]))  # of five items none is left for validation
    write(tmp_path, content, ["jsonl", "croissant"])
    described = json.loads((tmp_path / "croissant.json").read_text())
    assert [file["@id"] for file in described["distribution"]] == [
        f"captions-{split}.jsonl" for split in ("train", "valid", "test")
    ]
    assert [records["@id"] for records in described["recordSet"]] == ["train", "test"]
    assert described["license"] == "https://spdx.org/licenses/CC-BY-NC-ND-4.0.html"
    assert described["version"] == "3.0.0"
    assert described["citeAs"].startswith(
        "@misc{cvlue-captions-v3, title={{Lantern, release captions-v3}}, year={2026}"
    )
    opened(tmp_path)
