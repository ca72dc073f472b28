"""Examples before the questions of a run over a set: from where they are drawn, what is sent, and what it costs."""

from decimal import Decimal

import pytest

from curation.calls.models import Call
from curation.core import jobs
from evaluation.answering.rules import reading, shots
from evaluation.runs import services
from evaluation.runs.models import ReplyFailure, Run
from evaluation.runs.rules import Grid
from evaluation.runs.services import settings as run_settings
from evaluation.runs.services.drawing import drawn
from evaluation.sets.models import Entry
from evaluation.suites.rules import SUITES, Context
from evaluation.systems import services as systems
from tests.curation.calls.room import budget, offer
from tests.evaluation.accepted import benchmark
from tests.evaluation.answering import benchmarks
from tests.evaluation.sets.files import create, read, start_all, work, zipped
from tests.evaluation.sets.test_grids import chat, counts, plan, reasons
from tests.model_server import StandIn
from tests.people import key, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    systems.ensure_fixture_systems()
    for queue in ("gpu", "served"):
        jobs.worker_seen(queue)
    return benchmark()


def made(team, folder, suite, name, **content):
    """A set of a suite's file in a folder of its own; return it and the file."""
    folder = folder / name
    folder.mkdir()
    gold = getattr(benchmarks, suite)(folder, **content)
    return read(create(team, suite, gold, zipped(folder / "pictures"), name=name)), gold


@pytest.fixture
def asked(team, tmp_path):
    return made(team, tmp_path, "vistai", "asked")[0]


@pytest.fixture
def examples(team, tmp_path):
    """Six questions, three of each subject."""
    return made(team, tmp_path, "vistai", "examples", answers="ABCDAB", first=11)


def settings_of(team, row, **grid):
    (run_id,) = start_all(team, row, **grid).run_ids
    return Run.objects.get(pk=run_id).settings


def test_they_are_drawn_within_the_subject_as_the_command_draws_them(team, asked, examples):
    of, gold = examples
    grid = {"systems": ["demo-scripted"], "settings": ["cot"], "shots": [2], "examples": of.pk, "seed": 7}
    kept = settings_of(team, asked, **grid)["shots"]
    assert {name: kept[name] for name in ("number", "seed", "set")} == {"number": 2, "seed": 7, "set": of.pk}
    suite = SUITES["vistai"]
    pool = reading.read_gold(suite, suite.setting("cot"), gold, Context("content"))
    by_command = shots.draw(suite, pool, 2, 7, ["music", "physics"])
    keys = dict(Entry.objects.filter(set=of).values_list("pk", "key"))
    assert {group: [keys[pk] for pk in drawn] for group, drawn in kept["drawn"].items()} == {
        group: [example.entry.key for example in drawn] for group, drawn in by_command.items()
    }


def test_another_number_seed_or_set_is_another_run_and_none_is_the_run_from_before(team, asked, examples):
    of, _ = examples
    usual = {"systems": ["demo-scripted"], "settings": ["cot"]}
    plain = settings_of(team, asked, **usual)
    assert "shots" not in plain
    grid = usual | {"shots": [0, 1, 3], "examples": of.pk}
    cells = plan(team, asked, **grid)["cells"]
    assert [(cell["shots"], cell["state"]) for cell in cells] == [(0, "open"), (1, "start"), (3, "start")]
    assert start_all(team, asked, **grid).created == 2
    assert start_all(team, asked, **grid | {"seed": 1}).created == 2
    assert Run.objects.count() == 5


def test_what_is_asked_is_no_example(team, asked, tmp_path):
    # Questions 1 to 3 are those of the set; 4 has another key and the picture of question 1.
    folder = tmp_path / "overlap"
    folder.mkdir()
    gold = benchmarks.vistai(folder, answers="ABCDABCD")
    benchmarks.picture(folder / "pictures" / "4.png", (20, 10, 10), (64, 48))
    row = read(create(team, "vistai", gold, zipped(folder / "pictures"), name="overlap"))
    grid = {"systems": ["demo-scripted"], "settings": ["cot"], "examples": row.pk}
    drawn = settings_of(team, asked, **grid, shots=[2])["shots"]["drawn"]
    keys = dict(Entry.objects.filter(set=row).values_list("pk", "key"))
    assert {group: sorted(keys[pk] for pk in picked) for group, picked in drawn.items()} == {
        "music": ["music/5", "music/7"],
        "physics": ["physics/6", "physics/8"],
    }
    before = counts()
    (cell,) = plan(team, asked, **grid, shots=[3])["cells"]
    assert (cell["state"], cell["reason"]) == (
        "blocked",
        {"code": "run_examples_too_few", "params": {"shots": 3, "group": "music", "available": 2}},
    )
    assert counts() == before


def test_only_another_set_of_files_of_the_suite_has_examples(team, asked, tmp_path):
    other, _ = made(team, tmp_path, "tcc", "other")
    for of in (None, asked.pk, other.pk, other.pk + 99):
        grid = {"systems": ["demo-scripted"], "settings": ["cot"], "shots": [1], "examples": of}
        assert reasons(team, asked, **grid) == ["run_examples_unfit"]
    detail = signed_in(team.admin).get(f"/api/v1/sets/{asked.pk}").json()
    assert detail["examples"] == []
    assert [version["shots"] for version in detail["asks"]["settings"][0]["prompts"][0]["versions"]][:1] == [False]


def test_a_prompt_without_a_text_for_examples_takes_none(team, tmp_path):
    row, _ = made(team, tmp_path, "cvqa", "one")
    of, _ = made(team, tmp_path, "cvqa", "two")
    grid = {"systems": ["demo-scripted"], "settings": ["located"], "shots": [1], "examples": of.pk}
    assert reasons(team, row, **grid) == ["run_prompt_without_examples"]


def test_each_type_of_question_has_its_own_examples(team, tmp_path):
    row, _ = made(team, tmp_path, "cmmu", "one")
    of, _ = made(team, tmp_path, "cmmu", "two", file="dev.jsonl")
    grid = {"systems": ["demo-scripted"], "shots": [1], "examples": of.pk, "settings": ["circular"]}
    kept = settings_of(team, row, **grid)
    assert {name: no for name, (_, _, no, _) in kept["prompts"].items()} == {"MCQ": 5, "MRQ": 5, "FBQ": 5}
    keys = dict(Entry.objects.filter(set=of).values_list("pk", "key"))
    # Of the rotations of a question the first, and of several blanks.
    assert {group: [keys[pk] for pk in drawn] for group, drawn in kept["shots"]["drawn"].items()} == {
        "FBQ": ["dev.jsonl-physics_3-0"],
        "MCQ": ["dev.jsonl-physics_1-0"],
        "MRQ": ["dev.jsonl-history_2-0"],
    }


@pytest.mark.django_db(transaction=True)
def test_they_are_sent_with_their_pictures_answers_and_explanations_and_cost_no_more_than_planned(
    team, tmp_path, settings
):
    row, _ = made(team, tmp_path, "tcc", "asked")
    of, _ = made(team, tmp_path, "tcc", "examples", answers="DDDD", first=11)
    with StandIn(model="m", says=lambda _: "B") as server:
        chat(settings, address=server.address)
        offer(million_in=3, million_out=15, per_picture="0.002")
        budget(team.benchmark, "1000")
        grid = {"systems": ["large"], "settings": ["cot"], "means": ["text"], "shots": [2], "examples": of.pk}
        (cell,) = plan(team, row, **grid)["cells"]
        (run_id,) = start_all(team, row, **grid).run_ids
        run = work(Run.objects.get(pk=run_id))
    assert (run.answered, run.failed, run.expected) == (3, 0, 3)
    calls = list(Call.objects.filter(purpose="answer"))
    highest = sum(call.estimate for call in calls)
    assert len(calls) == 3
    assert highest <= Decimal(cell["cost"]) < highest * Decimal("1.3")
    messages = calls[0].request["messages"]
    parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
    assert sum(part["type"] == "image_url" for part in parts) == 3
    drawn = Entry.objects.in_bulk(run.settings["shots"]["drawn"][""])
    replies = [message["content"] for message in messages if message["role"] == "assistant"]
    assert len(replies) == 2
    for text, pk in zip(replies, run.settings["shots"]["drawn"][""], strict=True):
        whole = text if isinstance(text, str) else "".join(part["text"] for part in text)
        assert f"解释{drawn[pk].key}" in whole
        assert "D" in whole
    # The page of a sample renders what was sent.
    sample = signed_in(team.admin).get(f"/api/v1/runs/{run.pk}/samples/1").json()
    assert [message["role"] for message in sample["messages"]] == [message["role"] for message in messages]
    assert sum(part["picture"] for message in sample["messages"] for part in message["parts"]) == 3
    assert signed_in(team.admin).get(f"/api/v1/runs/{run.pk}").json()["manner"]["shots"] == 2


def test_a_subject_that_no_example_has_fails_by_name(team, asked, examples):
    of, _ = examples
    grid = {"systems": ["demo-scripted"], "settings": ["direct"], "shots": [1], "examples": of.pk}
    (run_id,) = services.start_set_runs(actor=team.admin, set_id=asked.pk, grid=Grid(**grid), client_key=key()).run_ids
    run = Run.objects.get(pk=run_id)
    run.settings["shots"]["drawn"].pop("physics")
    Run.objects.filter(pk=run_id).update(settings=run.settings)
    run = work(run)
    assert (run.answered, run.failed) == (2, 1)
    assert [*ReplyFailure.objects.values_list("entry__key", "code")] == [("physics/2", "examples_missing")]


def test_cells_that_need_the_same_examples_share_one_draw(team, asked, examples, monkeypatch):
    of, _ = examples
    draws = []
    monkeypatch.setattr(run_settings, "drawn", lambda *given: draws.append(given[-1].shots) or drawn(*given))
    grid = {"systems": ["demo-scripted"], "settings": ["cot", "direct"], "shots": [0, 1, 2], "examples": of.pk}
    cells = plan(team, asked, **grid, pictures=["1", "1/2"])["cells"]
    assert {cell["state"] for cell in cells} == {"start"}
    assert len(cells) == 12
    assert sorted(draws) == [0, 1, 2]
