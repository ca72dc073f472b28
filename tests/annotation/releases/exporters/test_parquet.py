"""Parquet as its users read it: with ``datasets``, offline, on a machine that has never seen this application."""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image as Pillow

from annotation.releases import services
from annotation.releases.exporters import parquet
from curation.core import jobs
from tests.annotation.releases.content import captions, filled, team

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
single = load_dataset("parquet", data_files=folder + "/captions-test.parquet", split="train")
answer["single"] = {"size": single[0]["image"].size, "rows": len(single)}
print(json.dumps(answer))
"""


@pytest.fixture
def written(db, settings, tmp_path):
    """A release's folder, and what was in the store: number → (bytes, pixels)."""
    settings.MEDIA_ROOT = tmp_path / "media"
    here = team()
    items = filled(here, 20)
    release = services.create_release(
        actor=here.admin, benchmark_slug="cvlue", kind="captions", seed=7, client_key=uuid.uuid4()
    )
    release = services.freeze_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert jobs.run(release.job_id, services.write_files) == "done"
    stored = {}
    for item in items:
        data = (settings.MEDIA_ROOT / item.image.renditions.get().key).read_bytes()
        pixels = Pillow.open(io.BytesIO(data)).convert("RGB").tobytes()
        stored[item.image.number] = (hashlib.sha256(data).hexdigest(), hashlib.sha256(pixels).hexdigest())
    return services.folder_of(release.pk), stored


def test_datasets_reads_the_pictures_after_the_folder_moved_and_the_store_is_gone(written, settings, tmp_path):
    folder, stored = written
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
    group = pq.ParquetFile(folder / "captions-train.parquet").metadata.row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert columns["image.bytes"].compression == "UNCOMPRESSED"
    assert columns["image.bytes"].statistics is None
    assert columns["label"].compression == "ZSTD"


class FewPictures:
    """Content of three records with pictures of a given size."""

    def __init__(self, facts, size):
        self.facts, self._size = facts, size

    def with_pictures(self, splits):
        for number in range(1, 4):
            yield record(number, splits[0]), bytes([number]) * self._size


def record(number, split):
    texts = dict.fromkeys(("label", "item", "image_sha256", "category", "subset", "licence"), "x")
    numbers = dict.fromkeys(("revision", "width", "height", "protocol_version"), 1)
    source = {"kind": "own", "url": "", "author": ""}
    where = {"id": number, "image": f"{number}.png", "split": split, "source": source}
    return texts | numbers | where | {"captions": ["一"]}


class Facts:
    kind = "captions"
    split_names = ("train",)


@pytest.mark.parametrize(("rows", "size", "groups"), [(100, 10, [3]), (2, 10, [2, 1]), (100, 20_000_000, [2, 1])])
def test_a_row_group_ends_at_a_number_of_rows_or_of_bytes(monkeypatch, rows, size, groups):
    monkeypatch.setattr(parquet, "ROWS", rows)
    out = io.BytesIO()
    parquet.EXPORTER.write("captions-train.parquet", FewPictures(Facts(), size), out)
    file = pq.ParquetFile(io.BytesIO(out.getvalue()))
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == groups


def test_an_empty_split_is_a_file_with_columns_and_no_rows():
    class Nothing(FewPictures):
        def with_pictures(self, splits):
            return iter(())

    out = io.BytesIO()
    parquet.EXPORTER.write("captions-train.parquet", Nothing(Facts(), 0), out)
    file = pq.ParquetFile(io.BytesIO(out.getvalue()))
    assert file.metadata.num_rows == 0
    assert file.schema_arrow.names == list(parquet.schema_of("captions").names)
