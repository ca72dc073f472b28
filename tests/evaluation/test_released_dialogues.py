"""A release of dialogues: what is run, submitted, shown and published of it."""

import json
import uuid

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from annotation.releases import services as releases
from annotation.releases.models import ReleaseEntry
from evaluation.leaderboards import queries as boards
from evaluation.profiles.reports import report_text
from evaluation.runs import queries as runs
from evaluation.runs import services
from evaluation.runs.models import Run
from evaluation.scoring import queries as scores
from evaluation.submissions import queries
from evaluation.submissions import services as submissions
from evaluation.suites.rules import profiles_of
from tests.annotation.releases.content import accept_dialogue, picture, rounds, team
from tests.evaluation.publication.published import content, opened, published_release, reduced
from tests.evaluation.sets.files import read, work
from tests.evaluation.submissions.predictions import scored
from tests.kinds import numbers_of

pytestmark = pytest.mark.django_db
PERFECT = {"R@1": 1.0, "R@5": 1.0, "R@10": 1.0, "MRR": 1.0, "mean rank": 1.0}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()


@pytest.fixture
def here():
    base = content()
    made = team(
        content=base
        | {
            "kinds": base["kinds"] | {"dialogue": {"track": "pair"} | numbers_of("dialogue")},
            "evaluation": {"systems": [], "suites": ["dialogue"], "submissions_per_day": 9},
            "release": base["release"] | {"exporters": ["jsonl", "parquet", "csv", "cvlue_published", "croissant"]},
        }
    )
    for number in range(1, 21):
        image = picture(made, number)
        reduced(image)
        accept_dialogue(made, image, number)
    return made


@pytest.fixture
def release(here):
    return published_release(here, "dialogue")


def file_of(release, name):
    return json.loads((releases.folder_of(release.pk) / name).read_text("utf-8"))


def of_cvlue(release):
    """A submission in CVLUE's form that ranks the right answers first."""
    ranked = []
    for row in file_of(release, "cvlue-vd-test-gold.json")["data"]:
        order = sorted(row["answer_options"], key=lambda one: one != row["answer"])
        ranked.append({name: row[name] for name in ("image_id", "image", "dialog_id", "question")})
        ranked[-1]["answer_sort"] = order
    return json.dumps(ranked).encode()


def values(metrics):
    return {name: one["value"] for name, one in metrics.items()}


def test_rankings_of_the_published_test_file_are_scored_as_they_are(here, release, tmp_path, capsys):
    asked = queries.submissions_page(here.contributor, release.pk, page_size=9)["requirements"]
    assert (asked["kind"], asked["expected"]) == ("dialogue", 6)
    assert [one["name"] for one in asked["profiles"]] == ["cvlue-vd/full", "cvlue-vd/official"]
    answers = tmp_path / "answers.json"
    answers.write_bytes(of_cvlue(release))
    for profile in profiles_of("dialogue"):
        found = scored(here.contributor, release, of_cvlue(release), profile=profile)
        assert (found.state, found.report["n_expected"], found.report["n_missing"]) == ("scored", 6, 0)
        assert values(found.report["metrics"]).items() <= PERFECT.items()
        capsys.readouterr()
        gold = releases.folder_of(release.pk) / "cvlue-vd-test-gold.json"
        call_command("score", profile, gold=gold, predictions=[str(answers)])
        metrics = values(json.loads(capsys.readouterr().out)["metrics"])
        assert metrics == values(found.report["metrics"])
        assert set(metrics) == (set(PERFECT) if profile == "cvlue-vd/full" else {"R@1", "R@5", "R@10"})


def test_run_file_and_command_give_one_report(here, release, tmp_path, capsys):
    given = {"benchmark_slug": "cvlue", "system_slug": "demo-scripted", "suite_name": "dialogue"}
    started = services.start_run(actor=here.admin, client_key=uuid.uuid4(), release_id=release.pk, **given)
    run = Run.objects.get(pk=started.run_id)
    read(run.set)
    run = work(run)
    assert (run.expected, run.answered, run.settings["means"]) == (6, 6, "likelihood")
    lines = "".join(runs.predictions_file(here.admin, run.pk)[1])
    assert {len(json.loads(line)["response"]) for line in lines.splitlines()} == {100}
    gold, file = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    file.write_text(lines)
    own = release.kinds.select_related("release__protocol").get()
    gold.write_text("".join(json.dumps(row.fields) + "\n" for row in queries.gold_rows(own)))
    for profile in profiles_of("dialogue"):
        _, text = scores.report_file(here.admin, run.pk, profile=profile)
        submission = scored(here.admin, release, lines.encode(), profile=profile)
        capsys.readouterr()
        call_command("score", profile, gold=gold, predictions=[str(file)])
        assert text == report_text(submission.report) == capsys.readouterr().out
    assert 1 < values(json.loads(text)["metrics"]).get("mean rank", 2) <= 100


def test_leaderboard_and_public_pages_have_dialogues(here, release):
    opened(here, release)
    for who, profile in ((here.contributor, "cvlue-vd/full"), (here.annotator, "cvlue-vd/official")):
        found = scored(who, release, of_cvlue(release), profile=profile)
        submissions.list_submission(actor=who, submission_id=found.pk, client_key=uuid.uuid4())
    board = boards.leaderboard(here.admin, release.pk)
    assert (board["kind"], len(board["submissions"])) == ("dialogue", 2)

    def text(address, language="en"):
        answer = Client().get(f"/p/cvlue/{language}/dialogue-v1/{address}")
        assert answer.status_code == 200, address
        return answer.content.decode()

    assert "Visual dialogue" in text("")
    page = text("board")
    for name in ("CVLUE dialogue, with mean rank and MRR", "CVLUE dialogue, published scorer"):
        assert name in page
    assert "CVLUE 視覺對話（含平均名次與 MRR）" in text("board", "zh-Hant")
    files = text("files")
    assert ("cvlue-vd-test.json" in files, "cvlue-vd-test-gold.json" in files) == (True, False)
    entry = ReleaseEntry.objects.filter(release=release, split="train").first()
    sample = text(f"samples/{entry.record['item']}", "zh-Hans")
    assert entry.record["caption"] in sample
    assert all(one["answer"] in sample for one in rounds(entry.item.number)["rounds"])
    assert "候选" not in sample


def test_no_public_file_has_the_right_answers_of_the_test_beside_their_questions(here, release):
    """A text of the test's scored answers is nowhere but among a hundred candidates, and in no history."""
    folder = releases.folder_of(release.pk)
    keys = set(release.files.filter(is_key=True).values_list("name", flat=True))
    assert keys == {"dialogue-test-key.jsonl", "cvlue-vd-test-gold.json"}
    tests = ReleaseEntry.objects.filter(release=release, split="test")
    for entry in tests:
        answer = entry.record["rounds"][entry.record["scored_round"] - 1]["answer"]
        public = next(
            record
            for line in (folder / "dialogue-test.jsonl").read_text("utf-8").splitlines()
            if (record := json.loads(line))["item"] == entry.record["item"]
        )
        assert public["candidates"].count(answer) == 1
        assert answer not in json.dumps(public["rounds"], ensure_ascii=False)
        assert answer not in (folder / "dialogue-test.csv").read_text("utf-8")
        assert answer not in (folder / "cvlue-vd-id2answer.json").read_text("utf-8")
        # No candidate list of a training question has it either.
        assert answer not in (folder / "dialogue-train.jsonl").read_text("utf-8")
