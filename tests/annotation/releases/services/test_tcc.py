"""A release as TCC-Bench publishes: the archive is its folder, and what is downloaded scores its own answers."""

import csv
import io
import json
import os
import subprocess
import sys
import uuid
import zipfile

import pytest
from django.core.management import call_command

from annotation.items.models import Item, ItemRevision
from annotation.releases import services
from curation.core import jobs
from curation.lib.spreadsheets import from_text
from evaluation.submissions import queries as submissions
from tests.annotation.releases.content import frozen, picture, protocol, team
from tests.people import signed_in

pytestmark = pytest.mark.django_db

READ = """
import json, sys
from datasets import load_dataset
print(json.dumps(list(load_dataset("csv", data_files=sys.argv[1], split="train"))))
"""
QUESTIONS = [
    (
        "𠮷祥图案里有什么？",
        ["=蝙蝠", "'=鹿", "鱼，虾", "🏮"],
        "What is in the pattern?",
        ["=Bats", "'=deer", 'Fish, "x"', "🏮"],
    ),
    (
        "图中的茶叫什么？",
        ["龙井", "毛尖", "普洱", "祁红"],
        "What tea is this?",
        ["Longjing", "Maojian", "Pu'er", "Keemun"],
    ),
    (
        "图中是什么节？",
        ["元宵", "端午", "中秋", "重阳"],
        "Which festival is it?",
        ["Lantern", "Dragon Boat", "Moon", "Nine"],
    ),
]


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def content_of(question):
    local, options, translated, other = question
    return {
        "category": "",
        "question": {"local": local, "translated": translated},
        "options": [{"local": a, "translated": b} for a, b in zip(options, other, strict=True)],
        "explanation": {"local": f"＋因为{options[0]}\n第二行", "translated": f"-because of {other[0]}"},
    }


@pytest.fixture
def release():
    """A frozen release of three questions on two pictures, with its files."""
    exporters = ["jsonl", "parquet", "csv", "tcc_csv", "croissant"]
    content = protocol(gates=["nothing_accepted"], splits={"train": 0, "valid": 0, "test": 100}, exporters=exporters)
    several = {"per_picture": {"minimum": 1, "maximum": 3}, "options": 4, "explanation": True, "review_reasons": []}
    content |= {"kinds": {"multiple_choice": several}, "languages": {"content": "zh-Hans", "translation": "en"}}
    here = team(slug="tcc", prefix="tcc-", content=content)
    images = [picture(here, number) for number in (1, 2)]
    for number, question in enumerate(QUESTIONS, 1):
        image = images[number // 3]
        at = {"benchmark": here.benchmark, "kind": "multiple_choice", "image": image, "slot": (number - 1) % 2}
        item = Item.objects.create(**at, number=number, state="accepted", revision_no=1, accepted_no=1)
        ItemRevision.objects.create(
            item=item,
            no=1,
            author=here.annotator,
            origin="annotator",
            content=content_of(question),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
    made = frozen(here, "multiple_choice")
    assert jobs.run(made.job_id, services.write_files) == "done"
    made.refresh_from_db()
    return here, made


def unpacked(here, release, folder):
    answer = signed_in(here.admin).get(f"/api/v1/releases/{release.pk}/archive.zip")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as read:
        read.extractall(folder)
    return folder / release.label


def test_the_archive_has_the_table_beside_the_folder_of_its_pictures(release, tmp_path):
    folder = unpacked(*release, tmp_path)
    with (folder / "VQA.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    records = [json.loads(line) for line in (folder / "multiple_choice-test.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["1_0", "1_1", "2_0"]
    for row, record in zip(rows, records, strict=True):
        assert (folder / "images" / row["Image"]).read_bytes() == (folder / record["image"]).read_bytes()
        for side, end in (("local", ""), ("translated", "_en")):
            assert from_text(row[f"Question{end}"]) == record["question"][side]
            assert from_text(row[f"Explanation{end}"]) == record["explanation"][side]
            assert from_text(row[row["Answer"] + end]) == record["options"][0][side]
    assert {from_text(rows[0][letter]) for letter in "ABCD"} == {"=蝙蝠", "'=鹿", "鱼，虾", "🏮"}
    assert (folder / "tcc-bench-categories.svg").read_bytes().startswith(b"<svg")
    assert "| 2 | 3 | 1.50 | 12 |" in (folder / "README.md").read_text(encoding="utf-8")


def test_datasets_opens_it(release, tmp_path):
    """It reads CSV by pandas, as TCC-Bench's own code does."""
    folder, home = unpacked(*release, tmp_path), str(tmp_path / "hf")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": home}
    command = [sys.executable, "-c", READ, str(folder / "VQA.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.splitlines()[-1])
    assert [row["id"] for row in rows] == ["1_0", "1_1", "2_0"]
    assert {row["Answer"] for row in rows} <= set("ABCD")
    assert all((folder / "images" / row["Image"]).is_file() for row in rows)
    assert [row["Question"] for row in rows] == [question for question, *_ in QUESTIONS]
    assert rows[0]["Explanation"] == "'＋因为=蝙蝠\n第二行"  # as the card says


def test_its_own_answers_in_the_template_of_the_site_score_full_marks(release, tmp_path):
    here, made = release
    folder = unpacked(here, made, tmp_path)
    with (folder / "VQA.csv").open(encoding="utf-8", newline="") as file:
        letters = {row["id"]: row["Answer"] for row in csv.DictReader(file, strict=True)}
    template = submissions.template(here.admin, made.pk).content.decode()
    rows = [json.loads(line) for line in template.splitlines()]
    answers, report = tmp_path / "answers.jsonl", tmp_path / "report.json"
    filled = [row | {"response": letters[row["id"]]} for row in rows]
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in filled), encoding="utf-8")
    for profile in ("tcc-mcq/paper", "tcc-mcq/official", "tcc-mcq/robust"):
        call_command("score", profile, gold=folder / "VQA.csv", predictions=[str(answers)], out=report)
        scored = json.loads(report.read_text())
        assert (scored["metrics"]["accuracy"]["value"], scored["n_scored"], scored["n_unknown_ids"]) == (1.0, 3, 0)


def test_the_files_are_of_the_format_and_none_is_missing(release):
    here, made = release
    page = signed_in(here.admin).get(f"/api/v1/releases/{made.pk}").json()
    files = [file["name"] for file in page["files"] if file["format"] == "tcc_csv"]
    assert (files, page["missing_files"]) == (["VQA.csv", "tcc-bench-categories.svg", "tcc-bench-statistics.csv"], [])
    assert page["job"]["done"] == page["job"]["total"]
