"""Parquet as its users read it: with ``datasets``, offline, on a machine that has never seen this application."""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image as Pillow

from annotation.releases import services
from annotation.releases.exporters import parquet
from annotation.releases.exporters.base import Split
from curation.core import jobs
from tests.annotation.releases.content import captions, filled, frozen, team
from tests.annotation.releases.exporters.generated import Generated, Sheet, facts

READ = """
import hashlib, io, json, sys
from datasets import Image, load_dataset
folder = sys.argv[1]
answer = {}
for split, rows in load_dataset(folder).items():
    features = rows.features
    raw = rows.cast_column("image", Image(decode=False))
    answer[split] = {
        "features": {name: str(features[name]) for name in ("image", "captions", "id")},
        "rows": [
            {
                "id": row["id"],
                "captions": row["captions"],
                "source": row["source"],
                "size": row["image"].size,
                "pixels": hashlib.sha256(row["image"].convert("RGB").tobytes()).hexdigest(),
                "bytes": hashlib.sha256(bare["image"]["bytes"]).hexdigest(),
                "path": bare["image"]["path"],
            }
            for row, bare in zip(rows, raw)
        ],
    }
single = load_dataset("parquet", data_files=folder + "/captions-test-00000-of-00001.parquet", split="train")
answer["single"] = {"size": single[0]["image"].size, "rows": len(single)}
print(json.dumps(answer))
"""


@pytest.fixture
def written(db, settings, tmp_path, monkeypatch):
    """A release's folder, and what was in the store: number → (bytes, pixels). The training split has two shards."""
    monkeypatch.setattr(parquet, "SHARD", 6_500)
    settings.MEDIA_ROOT = tmp_path / "media"
    here = team()
    items = filled(here, 20)
    release = frozen(here)
    assert jobs.run(release.job_id, services.write_files) == "done"
    stored = {}
    for item in items:
        data = (settings.MEDIA_ROOT / item.image.renditions.get().key).read_bytes()
        pixels = Pillow.open(io.BytesIO(data)).convert("RGB").tobytes()
        stored[item.image.number] = (hashlib.sha256(data).hexdigest(), hashlib.sha256(pixels).hexdigest())
    return services.folder_of(release.pk), stored


def test_datasets_reads_the_pictures_after_the_folder_moved_and_the_store_is_gone(written, settings, tmp_path):
    folder, stored = written
    assert sorted(path.name for path in folder.glob("*.parquet")) == [
        "captions-test-00000-of-00001.parquet",
        "captions-train-00000-of-00002.parquet",
        "captions-train-00001-of-00002.parquet",
        "captions-valid-00000-of-00001.parquet",
    ]
    moved = tmp_path / "elsewhere"
    shutil.move(folder, moved)
    shutil.rmtree(settings.MEDIA_ROOT)
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", READ, str(moved)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer.pop("single") == {"size": [24, 16], "rows": 6}
    assert {split: len(read["rows"]) for split, read in answer.items()} == {"train": 12, "valid": 2, "test": 6}
    for read in answer.values():
        assert read["features"]["image"].startswith("Image(")
        assert read["features"]["captions"] == "List(Value('string'))"
        for row in read["rows"]:
            assert (row["bytes"], row["pixels"]) == stored[row["id"]]
            assert row["size"] == [24, 16]
            assert row["captions"] == captions(row["id"])["captions"]
            assert row["source"] == {
                "kind": "external",
                "url": f"https://example.org/{row['id']}",
                "author": "摄影者, 甲",
            }
            assert Path(row["path"]).suffix == (".png" if row["id"] % 2 else ".jpg")
    assert sorted(row["id"] for read in answer.values() for row in read["rows"]) == list(range(1, 21))


def test_pictures_are_stored_as_they_are_and_text_is_compressed(written):
    folder, _ = written
    group = pq.ParquetFile(folder / "captions-test-00000-of-00001.parquet").metadata.row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert columns["image.bytes"].compression == "UNCOMPRESSED"
    assert columns["image.bytes"].statistics is None
    assert columns["label"].compression == "ZSTD"


class FewPictures(Generated):
    """Content of three records with pictures of a given size."""

    def __init__(self, size):
        super().__init__(replace(facts(items=3), splits=[Split("train", 100, 3, 3, 1, 3 * size)]))
        self._size = size

    def picture(self, ordinal):
        return bytes([ordinal]) * self._size


def shard(content):
    (file,) = [file for file in parquet.EXPORTER.files(content.facts) if "train" in file.name]
    sheet = Sheet()
    parquet.EXPORTER.write(file, content, sheet)
    return pq.ParquetFile(io.BytesIO(sheet.bytes()))


@pytest.mark.parametrize(("rows", "size", "groups"), [(100, 10, [3]), (2, 10, [2, 1]), (100, 20_000_000, [2, 1])])
def test_a_row_group_ends_at_a_number_of_rows_or_of_bytes(monkeypatch, rows, size, groups):
    monkeypatch.setattr(parquet, "ROWS", rows)
    file = shard(FewPictures(size))
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == groups


def test_an_empty_split_is_a_file_with_columns_and_no_rows():
    content = Generated(replace(facts(), splits=[Split("train", 100, 0, 0)]))
    file = shard(content)
    assert file.metadata.num_rows == 0
    assert file.schema_arrow.names == list(parquet.schema_of(content.facts).names)


@pytest.mark.parametrize(
    ("items", "size", "rows"),
    [
        (0, 0, [range(11, 11)]),
        (7, 1_000, [range(11, 18)]),
        (7, 1_001, [range(11, 14), range(14, 18)]),
        (2, 9_000, [range(11, 12), range(12, 13)]),  # never a shard without rows
    ],
)
def test_shards_are_known_before_the_first_is_written(monkeypatch, items, size, rows):
    monkeypatch.setattr(parquet, "SHARD", 1_000)
    shards = parquet.shards_of("captions", Split("test", 30, items, items, 11, size))
    assert [file.rows for file in shards] == rows
    assert [file.name for file in shards] == [
        f"captions-test-{i:05d}-of-{len(rows):05d}.parquet" for i in range(len(rows))
    ]
