"""What holds for every format: little memory, the same bytes after a cut, files that belong to the release."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Whole
from tests.annotation.releases.exporters import questions
from tests.annotation.releases.exporters.generated import Generated, Sheet, facts

LOCALES = Path(__file__).resolve().parents[4] / "frontend" / "src" / "locales"
TEXTS = [name for name in [*registry.DATA, *registry.ALWAYS] if name != "parquet"]


def run_module(module, *words):
    """Run a module in its own process; return what it prints, as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.annotation.releases.exporters.{module}", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.system
def test_memory_does_not_grow_with_the_items(tmp_path):
    peaks = run_module("peaks", tmp_path, 5_000, 50_000)
    assert set(peaks) == {*registry.DATA, *registry.ALWAYS}
    grown = {name: (large - small) / 1_000 for name, (small, large) in peaks.items()}
    assert max(grown.values()) <= 50, grown  # MB


@pytest.mark.system
def test_a_killed_process_costs_little_and_changes_no_byte(tmp_path):
    trials = run_module("cuts", tmp_path, 500)
    # A page that is written at once, and the sums of what stands beside it.
    at_once = {"croissant", "checksums"}
    assert {name for name, *_ in trials} == {*registry.DATA, *registry.ALWAYS} - at_once
    for name, kind, died_of, steps, read, equal in trials:
        assert (died_of, equal) == (9, True), name
        if name != "card":  # a page of sums, counted again from the beginning
            assert read <= steps // 2, (name, kind)


@pytest.mark.parametrize("kind", ["captions", "vqa", "dialogue"])
@pytest.mark.parametrize("name", TEXTS)
def test_every_mark_is_a_place_to_go_on_from(name, kind):
    content = Generated(facts(kind, 11, withheld=["valid"]))
    exporter = registry.selected_exporters([name] if name in registry.DATA else [])[name]
    for file in exporter.files(content.whole):
        whole = Sheet()
        exporter.write(file, content, whole)
        assert [done for _, done, _ in whole.marks] == sorted({done for _, done, _ in whole.marks})
        assert not whole.marks or whole.marks[-1][1] == file.steps
        for begun in whole.marks:
            rest = Sheet(*begun)
            exporter.write(file, content, rest)
            assert rest.bytes() == whole.bytes()


@pytest.mark.parametrize("kind", ["captions", "vqa"])
def test_names_are_different_and_rows_are_the_releases_own(kind):
    about = facts(kind, 20, withheld=["test"])
    files = [job.file for job in registry.work(list(registry.DATA), Whole.of(about))]
    assert len({file.name for file in files}) == len(files)
    assert all(not file.rows or set(file.rows) <= {0, *about.rows} for file in files)
    assert [file.name for file in files if file.is_key] == [f"{kind}-test-key.jsonl"]


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_every_format_has_a_name_and_says_what_it_is_for(language):
    words = json.loads((LOCALES / language / "releases.json").read_text())
    names = [{*words[part]} for part in ("format", "formatText")]
    # keys have their own heading, the archive its button
    assert names == [{*registry.DATA, *registry.ALWAYS} - {"key", "archive"}] * 2


def test_formats_write_in_the_order_of_the_table_whatever_the_protocol_says():
    about = facts("captions", 20)
    assert [
        (job.format, job.file.name) for job in registry.work(["croissant", "csv", "jsonl", "csv"], Whole.of(about))
    ] == [
        ("jsonl", "captions-train.jsonl"),
        ("jsonl", "captions-valid.jsonl"),
        ("jsonl", "captions-test.jsonl"),
        ("csv", "captions-train.csv"),
        ("csv", "captions-valid.csv"),
        ("csv", "captions-test.csv"),
        ("croissant", "croissant.json"),
        ("licences", "licences.csv"),
        ("changes", "changes.jsonl"),
        ("card", "README.md"),
        ("checksums", "checksums.txt"),
        ("archive", "archive.index"),
    ]


@pytest.mark.parametrize(
    "about",
    [facts("captions", 20), facts("vqa", 20), facts("dialogue", 20), questions.facts()],
    ids=lambda one: one.kind,
)
def test_the_formats_named_for_a_kind_are_those_that_write_files(about):
    names = registry.formats_of(list(registry.DATA), about.kind)
    assert names == [name for name, exporter in registry.DATA.items() if exporter.files(Whole.of(about))]
    assert ("coco_captions" in names, "cvqa_hub" in names) == (
        about.kind == "captions",
        about.kind == "multiple_choice",
    )


def test_what_a_kind_has_no_form_for_is_not_written():
    about = facts("vqa", 20)
    assert [job for job in registry.work(["coco_captions"], Whole.of(about)) if job.format == "coco_captions"] == []
