"""Other benchmarks' files become item sets, systems are run over them, and are scored as their files would be."""

import json

import pytest
from django.core.management import call_command
from PIL import Image

from evaluation.runs import queries as runs
from evaluation.scoring import queries as scores
from evaluation.sets.rules import askable
from evaluation.suites.rules import SUITES
from tests.evaluation.accepted import benchmark
from tests.evaluation.answering import benchmarks
from tests.evaluation.sets.files import create, read, start, work, zipped

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return benchmark()


@pytest.fixture
def ready(team, tmp_path):
    """A set of a suite's small files that was read."""

    def made(suite, *, lossless=False, **more):
        gold = benchmarks.of_suite(suite, tmp_path)
        for path in (tmp_path / "pictures").rglob("*.*") if lossless else ():
            with Image.open(path) as opened:
                opened.load()
            opened.save(path, "PNG")  # encoded again, its pixels stay the same
        return read(create(team, suite, gold, zipped(tmp_path / "pictures"), **more)), gold

    return made


def printed(capsys, profile, gold, file):
    """What ``manage.py score`` prints for a file of predictions."""
    capsys.readouterr()
    call_command("score", profile, gold=gold, predictions=[str(file)])
    return capsys.readouterr().out


@pytest.mark.parametrize("suite", sorted(askable()))
def test_a_run_is_scored_byte_for_byte_as_the_file_of_its_predictions(team, ready, tmp_path, capsys, suite):
    row, gold = ready(suite)
    run = work(start(team, row, "demo-scripted"))
    assert (run.state, run.answered + run.refused, run.failed) == ("closed", run.expected, 0)
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(runs.predictions_file(team.admin, run.pk)[1]))
    for profile in SUITES[suite].profiles:
        name, text = scores.report_file(team.admin, run.pk, profile=profile)
        assert name == f"run-{run.pk}-{profile.replace('/', '-')}.json"
        assert text == printed(capsys, profile, gold, file)


@pytest.mark.parametrize("suite", sorted(askable()))
def test_a_run_answers_as_the_command_does(team, ready, tmp_path, suite):
    row, gold = ready(suite, lossless=True)
    run = work(start(team, row, "demo-scripted"))
    out = tmp_path / "by-command.jsonl"
    call_command("answer", "demo-scripted", suite, gold=gold, pictures=tmp_path / "pictures", out=out)
    lines = [json.loads(line) for line in runs.predictions_file(team.admin, run.pk)[1]]
    assert lines == [json.loads(line) for line in out.read_text().splitlines()]
