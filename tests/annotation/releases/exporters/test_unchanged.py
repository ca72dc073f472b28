"""Releases of one kind have the bytes that they had before releases could hold several (the sums are from then)."""

import hashlib
import json
from pathlib import Path

import pytest

from annotation.releases.exporters import registry
from tests.annotation.releases.exporters import questions
from tests.annotation.releases.exporters.generated import Generated, facts, write

SUMS = json.loads((Path(__file__).resolve().parents[3] / "data" / "releases_of_one_kind.json").read_text())
FORMATS = [name for name in registry.DATA if name != "tcc_csv"]  # those of then
RELEASES = {
    "captions": lambda: Generated(facts("captions", 40)),
    "captions, withheld": lambda: Generated(facts("captions", 40, withheld=["test"])),
    "vqa": lambda: Generated(facts("vqa", 40)),
    "vqa, withheld": lambda: Generated(facts("vqa", 40, withheld=["valid", "test"])),
    "multiple_choice": lambda: questions.Questions(questions.facts(50)),
    "multiple_choice, withheld": lambda: questions.Questions(questions.facts(50, withheld=True)),
}


@pytest.mark.parametrize("name", RELEASES)
def test_every_file_of_a_release_of_one_kind_is_as_before(tmp_path, name):
    assert write(tmp_path, RELEASES[name](), FORMATS) == SUMS[name]


def test_a_changed_byte_would_be_noticed(tmp_path):
    content = Generated(facts("captions", 40))
    sums = write(tmp_path, content, ["jsonl"])
    path = tmp_path / "captions-train.jsonl"
    path.write_bytes(path.read_bytes()[:-1])
    assert hashlib.sha256(path.read_bytes()).hexdigest() != sums["captions-train.jsonl"] == SUMS["captions"][path.name]
