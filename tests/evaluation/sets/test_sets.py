"""Other benchmarks' files become item sets, systems are run over them, and are scored as their files would be."""

import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.core.management import call_command
from PIL import Image

from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.jobs import MAX_ATTEMPTS
from curation.core.models import Job
from curation.core.registry import Registry
from curation.core.stores import store
from evaluation.answering.services import systems
from evaluation.backends import registry
from evaluation.runs import queries as runs
from evaluation.runs import services
from evaluation.runs.errors import NothingToStart, RunPromptMissing, RunSettingUnknown, SystemNotForSuite
from evaluation.runs.models import Chunk, Reply, ReplyFailure, Run
from evaluation.runs.rules import NO_PICTURE
from evaluation.runs.services import chunks, replying, working
from evaluation.runs.services import settings as run_settings
from evaluation.samples import queries as samples
from evaluation.samples.rules import SampleFilters
from evaluation.scoring import queries as scores
from evaluation.scoring.models import SetReport
from evaluation.scoring.services import sets as scoring_sets
from evaluation.scoring.services import sweep_scores
from evaluation.scoring.tasks import score_set_run
from evaluation.sets import queries
from evaluation.sets import services as services_of_sets
from evaluation.sets.errors import SetNameTaken
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.rules import suites_of_files
from evaluation.sets.services import reading
from evaluation.suites.rules import SUITES
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from tests.evaluation.accepted import benchmark
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import Double, record
from tests.evaluation.answering.double import Entry as Backend
from tests.evaluation.sets.files import create, read, start, work, zipped
from tests.people import key

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
        dialogues = tmp_path / "dialogs.json" if suite == "dialogue" else None
        return read(create(team, suite, gold, zipped(tmp_path / "pictures"), dialogues=dialogues, **more)), gold

    return made


@pytest.fixture
def double(monkeypatch, tmp_path):
    """A system whose replies a test chooses by words of the question."""
    one = Double()
    entries = Registry("backend", {**registry.BACKENDS, "double": Backend(one)})
    for module in (systems, run_settings, working, system_services, system_queries):
        monkeypatch.setattr(module, "BACKENDS", entries)
    system_services.add_system(system_queries.read_record(record(tmp_path, "generate")))
    return one


def printed(capsys, profile, gold, file):
    """What ``manage.py score`` prints for a file of predictions."""
    capsys.readouterr()
    call_command("score", profile, gold=gold, predictions=[str(file)])
    return capsys.readouterr().out


@pytest.mark.parametrize("suite", sorted(suites_of_files()))
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


@pytest.mark.parametrize("suite", sorted(suites_of_files()))
def test_a_run_answers_as_the_command_does(team, ready, tmp_path, suite):
    row, gold = ready(suite, lossless=True)
    run = work(start(team, row, "demo-scripted"))
    out = tmp_path / "by-command.jsonl"
    more = {"dialogues": tmp_path / "dialogs.json"} if suite == "dialogue" else {}
    call_command("answer", "demo-scripted", suite, gold=gold, pictures=tmp_path / "pictures", out=out, **more)
    lines = [json.loads(line) for line in runs.predictions_file(team.admin, run.pk)[1]]
    assert lines == [json.loads(line) for line in out.read_text().splitlines()]


def test_a_set_is_read_in_every_language_that_all_questions_have(team, ready):
    row, _ = ready("cvqa")
    assert (row.state, row.size, row.sides, row.fault) == ("ready", 2, ["content", "en"], None)
    first = Entry.objects.get(set=row, no=1)
    assert (first.gold, first.picture.name, first.texts["en"]["options"][1]) == (
        "B",
        "5919991144272485961",
        "red Myaku-Myaku",
    )
    assert "Label" not in str(first.texts)
    vqa, _ = ready("vqa", name="Another")
    assert vqa.sides == ["content"]
    # The picture with the longest question comes first, and its questions stay together.
    assert list(Entry.objects.filter(set=vqa).order_by("no").values_list("key", flat=True)) == [
        "66378",
        "66376",
        "66377",
    ]


def test_pictures_are_encoded_again_and_the_archive_is_not_kept(team, ready, settings):
    row, _ = ready("vqa")
    pictures = SetPicture.objects.filter(set=row)
    assert {(one.name, one.width, one.height) for one in pictures} == {
        (benchmarks.PANDA, 32, 24),
        (benchmarks.SUONA, 40, 20),
    }
    stored = {path.relative_to(settings.MEDIA_ROOT).as_posix() for path in settings.MEDIA_ROOT.rglob("*.*")}
    assert {one.key for one in pictures} <= stored
    assert not any(path.endswith("pictures") for path in stored)


def test_pictures_may_be_below_a_folder_or_in_none(team, tmp_path):
    gold = benchmarks.of_suite("vqa", tmp_path)
    for number, folder in enumerate((tmp_path, tmp_path / "pictures/images/val")):
        content = zipped(folder)  # the first has the gold file in it, too
        assert read(create(team, "vqa", gold, content, name=str(number))).state == "ready"


ROW = {"image": benchmarks.PANDA, "question_id": 1, "question": "这是什么？", "answer": "𠮷"}


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([{**ROW, "question": None}], {"code": "wrong_row", "line": 1, "field": "question", "expected": "text"}),
        ([{**ROW, "category": "a\0b"}], {"code": "wrong_row", "line": 1, "field": "category"}),
        ([ROW, ROW], {"code": "wrong_row", "line": 2, "field": "id", "expected": "each id once; 1 came before"}),
        (
            [{**ROW, "answer": None}],
            {"code": "wrong_row", "line": 1, "field": "answer", "expected": "the right answer"},
        ),
        ([{**ROW, "image": "x" * 201}], {"code": "wrong_row", "line": 1, "field": "image"}),
        ([{**ROW, "image": "../x.png"}], {"code": "picture_missing", "field": "image", "expected": "../x.png"}),
        ([{**ROW, "image": "no.png"}], {"code": "picture_missing", "field": "image", "expected": "no.png"}),
        ([], {"code": "wrong_file"}),
    ],
)
def test_files_that_make_no_set_say_why(team, tmp_path, rows, fault):
    benchmarks.of_suite("vqa", tmp_path)
    gold = benchmarks.array(tmp_path / "gold.json", rows)
    row = read(create(team, "vqa", gold, zipped(tmp_path / "pictures")))
    assert (row.state, row.size, Entry.objects.count()) == ("refused", 0, 0)
    assert {name: row.fault[name] for name in fault} == fault
    # The name is free again.
    good = benchmarks.of_suite("vqa", tmp_path)
    assert read(create(team, "vqa", good, zipped(tmp_path / "pictures"))).state == "ready"


def test_what_is_no_picture_and_no_archive_is_refused(team, tmp_path):
    gold = benchmarks.of_suite("vqa", tmp_path)
    row = read(create(team, "vqa", gold, b"PK no zip"))
    assert (row.fault["code"], row.fault["expected"]) == ("archive_refused", "archive_undecodable")
    (tmp_path / "pictures" / benchmarks.PANDA).write_bytes(b"<svg onload=alert(1)>")
    row = read(create(team, "vqa", gold, zipped(tmp_path / "pictures")))
    assert (row.fault["code"], row.fault["field"], row.fault["expected"]) == (
        "picture_refused",
        benchmarks.PANDA,
        "file_is_svg",
    )


BOX = {"image": benchmarks.PANDA, "ref_id": 1, "text": "熊猫", "width": 32, "height": 24}


@pytest.mark.parametrize(
    ("suite", "row", "field"),
    [
        ("grounding", {**BOX, "bbox": [0, 0, float("nan"), 1]}, "bbox"),
        ("grounding", {**BOX, "bbox": [0, 0, float("inf"), 1]}, "bbox"),
        ("grounding", {**BOX, "bbox": [0, 0, 1, 10**400]}, "bbox"),
        ("cvqa", {"ID": "6_0", "Question": "?", "Options": ["一", "二"], "Label": "²"}, "gold"),
        ("cvqa", {"ID": "6_0", "Question": "?", "Options": ["一", "二"], "Label": "9" * 5000}, "gold"),
        (
            "cvqa",
            {"ID": "6_0", "Question": "?", "Subset": "('\0', 'x')", "Options": ["一", "二"], "Label": 1},
            "language",
        ),
    ],
)
def test_a_right_answer_that_cannot_be_kept_is_refused(team, tmp_path, suite, row, field):
    benchmarks.of_suite(suite, tmp_path)
    gold = benchmarks.array(tmp_path / "gold.json", [row])
    made = read(create(team, suite, gold, zipped(tmp_path / "pictures")))
    assert (made.state, made.fault["line"], made.fault["field"]) == ("refused", 1, field)


def test_a_damaged_entry_of_any_compression_is_refused(team, tmp_path):
    gold = benchmarks.of_suite("vqa", tmp_path)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(benchmarks.PANDA, (tmp_path / "pictures" / benchmarks.PANDA).read_bytes())
        archive.writestr(benchmarks.SUONA, (tmp_path / "pictures" / benchmarks.SUONA).read_bytes())
    content = stream.getvalue()
    at = content.index(benchmarks.PANDA.encode()) + len(benchmarks.PANDA) + 9  # behind the filter's properties
    row = read(create(team, "vqa", gold, content[:at] + b"\xff" * 20 + content[at + 20 :]))
    assert (row.fault["code"], row.fault["expected"]) == ("picture_refused", "archive_entry_damaged")


def test_ends_of_a_path_are_no_longer_than_names_in_a_gold_file():
    path = "a/" * 20_000 + "b/x.png"
    entry = SimpleNamespace(path=path)
    ends = reading._by_path([entry])
    assert ends["x.png"] is ends["a/b/x.png"] is ends[path] is entry
    assert sum(map(len, ends)) < 2 * len(path)


def test_the_archive_goes_also_if_the_job_ended_before_it_removed_it(team, tmp_path, settings):
    gold = benchmarks.of_suite("vqa", tmp_path)
    row = create(team, "vqa", gold, zipped(tmp_path / "pictures"))
    archive = settings.MEDIA_ROOT / row.files["pictures"]["key"]
    content = archive.read_bytes()
    read(row)
    archive.write_bytes(content)
    Job.objects.filter(pk=row.job_id).update(state=Job.State.QUEUED)
    assert (read(row).state, archive.exists()) == ("ready", False)


def test_files_with_which_every_worker_fails_are_refused(team, tmp_path, monkeypatch, settings):
    gold = benchmarks.of_suite("vqa", tmp_path)
    row = create(team, "vqa", gold, zipped(tmp_path / "pictures"))
    monkeypatch.setattr(reading, "_questions", lambda *rest: 1 / 0)
    for _ in range(MAX_ATTEMPTS):
        assert read(row).fault is None or row.state == "refused"
    assert (row.state, row.fault["code"], row.fault["expected"]) == ("refused", "wrong_file", reading.READABLE)
    assert not (settings.MEDIA_ROOT / row.files["pictures"]["key"]).exists()
    monkeypatch.undo()
    settings.MEDIA_ROOT = tmp_path / "media"
    assert create(team, "vqa", gold, zipped(tmp_path / "pictures")).state == "waiting"


def test_parquet_of_other_types_says_what_is_missing(team):
    base = {"question_id": pa.array([1]), "question": pa.array(["?"]), "answer": pa.array(["x"])}
    no_bytes = pa.StructArray.from_arrays([pa.array(["x"]), pa.array(["x"])], names=["bytes", "path"])
    far = pa.array([2**31 - 1], pa.date32())
    for more, code in (({"image": no_bytes}, "pictures_needed"), ({"date": far}, "wrong_file")):
        stream = io.BytesIO()
        pq.write_table(pa.table({**base, **more}), stream)
        assert read(create(team, "vqa", stream.getvalue(), None)).fault["code"] == code


def test_a_command_is_carried_out_once(team, tmp_path):
    gold, same = benchmarks.of_suite("vqa", tmp_path), key()
    content = zipped(tmp_path / "pictures")
    row = create(team, "vqa", gold, content, key=same)
    assert create(team, "vqa", gold, content, key=same).pk == row.pk
    with pytest.raises(ClientKeyReused):
        create(team, "vqa", gold, content, key=same, name="another")
    with pytest.raises(SetNameTaken):
        create(team, "vqa", gold, content)
    assert ItemSet.objects.count() == 1
    read(row)
    started, run = key(), None
    for _ in range(2):
        run = start(team, row, "demo-scripted", key=started)
    assert run.expected == 3
    with pytest.raises(ClientKeyReused):
        start(team, row, "demo-scripted", key=started, pictures="none")
    assert start(team, row, "demo-scripted").pk == run.pk  # one such run is open
    assert start(team, row, "demo-scripted", pictures="none").pk != run.pk
    assert Run.objects.count() == 2


def test_a_set_cannot_be_run_before_it_was_read(team, tmp_path):
    row = create(team, "vqa", benchmarks.of_suite("vqa", tmp_path), None)
    with pytest.raises(ActionNotAllowed):
        start(team, row, "demo-scripted")
    assert read(row).fault["code"] == "pictures_needed"


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"settings": "no"}, RunSettingUnknown),
        ({"sides": "en"}, RunSettingUnknown),
        ({"pictures": "3"}, RunSettingUnknown),
        ({"means": "likelihood"}, RunSettingUnknown),
        ({"languages": "fr"}, RunPromptMissing),
        ({"prompts": 99}, RunPromptMissing),
    ],
)
def test_a_setting_that_does_not_exist_starts_nothing(team, ready, chosen, error):
    row, _ = ready("vqa")
    for system, choices, reason in (("demo-scripted", chosen, error), ("demo-dual-encoder", {}, SystemNotForSuite)):
        with pytest.raises(NothingToStart) as refusal:
            start(team, row, system, **choices)
        assert refusal.value.params == {"cells": 1, "reasons": reason.code}
    assert not Run.objects.exists()


def test_a_setting_is_complete_and_part_of_the_run(team, ready):
    row, _ = ready("cvqa")
    run = start(team, row, "demo-scripted", sides="en", pictures="1/2", settings="plain")
    name, language, number, sha256 = run.settings["prompts"][""]
    assert (name, language, number, len(sha256)) == ("cvqa-plain", "en", 1, 64)
    assert (run.settings["means"], run.settings["picture"], run.settings["side"]) == (
        "likelihood",
        ["1/2", "Lanczos"],
        "en",
    )
    assert work(run).answered == 2


def test_lists_say_how_a_run_asks_and_the_headline_of_a_profile_is_first(team, ready):
    row, _ = ready("cmmu")
    run = work(start(team, row, "demo-scripted", pictures="none"))
    (listed,) = runs.run_list(team.admin, team.benchmark.slug, item_set=row.pk)
    (scored,) = scores.set_scores(team.admin, row.pk)
    assert listed["manner"] == scored["manner"]
    assert scored["manner"] == {
        "setting": "circular",
        "means": run.settings["means"],
        "side": "content",
        "language": "zh-Hans",
        "prompt": 2,
        "scale": None,
        "shots": 0,
    }
    firsts = {metric["profile"]: metric["metric"] for metric in reversed(scored["metrics"])}
    assert firsts == dict.fromkeys(SUITES["cmmu"].profiles, "accuracy")


def test_answers_are_scored_by_the_profiles_that_read_them(team, ready, tmp_path, capsys):
    row, gold = ready("cvqa")
    run = work(start(team, row, "demo-scripted", means="text"))
    (scored,) = scores.set_scores(team.admin, row.pk)
    assert (scored["reports"], scored["n_expected"]) == (["cvqa-mcq/generated"], 2)
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(runs.predictions_file(team.admin, run.pk)[1]))
    assert scores.report_file(team.admin, run.pk)[1] == printed(capsys, "cvqa-mcq/generated", gold, file)
    with pytest.raises(NotFound):
        scores.report_file(team.admin, run.pk, profile="cvqa-mcq/paper")


WAYS = [
    (suite.name, setting.name, means)
    for suite in suites_of_files().values()
    for setting in suite.settings
    for means in setting.means
    if means != "similarity"
]


@pytest.mark.parametrize(("suite", "setting", "means"), WAYS)
def test_a_run_in_every_setting_is_scored(team, ready, suite, setting, means):
    row, _ = ready(suite)
    run = work(start(team, row, "demo-scripted", settings=setting, means=means))
    (scored,) = scores.set_scores(team.admin, row.pk)
    assert (scored["run"], scored["n_failed"], bool(scored["reports"])) == (run.pk, 0, True)


def test_an_encoder_answers_questions_with_options_by_similarity(team, ready):
    row, _ = ready("cvqa")
    run = work(start(team, row, "demo-dual-encoder"))
    assert (run.settings["means"], run.settings["prompts"], run.answered) == ("similarity", {}, 2)
    (first, _) = (json.loads(line) for line in runs.predictions_file(team.admin, run.pk)[1])
    assert (len(first["similarities"]), first["Prediction"] in "ABCD") == (4, True)
    with pytest.raises(NothingToStart, match="run_needs_picture"):
        start(team, row, "demo-dual-encoder", pictures="none")


@pytest.mark.parametrize("name", ["..", "题" * 190 + ".json", "a/../b\\c.json"])
def test_any_name_of_a_file_is_read(team, tmp_path, name):
    gold = benchmarks.of_suite("vqa", tmp_path)
    row = services_of_sets.create_set(
        actor=team.admin,
        benchmark_slug=team.benchmark.slug,
        suite="vqa",
        name="x",
        gold=services_of_sets.File(name, [gold.read_bytes()]),
        pictures=services_of_sets.File(name, [zipped(tmp_path / "pictures")]),
        client_key=key(),
    )
    assert read(row).state == "ready"


def test_what_fails_is_counted_and_tried_again(team, ready, double, tmp_path, capsys):
    row, gold = ready("vqa")
    double.replies = {"灯": "是", "几只": "<fails>", "熊猫": "<refused>"}
    run = work(start(team, row, "double"))
    assert (run.answered, run.refused, run.failed, run.state) == (1, 1, 1, "closed")
    (listed,) = runs.run_list(team.admin, team.benchmark.slug, item_set=row.pk)
    assert (listed["expected"], listed["done"], listed["failed"], listed["refused"]) == (3, 3, 1, 1)
    assert listed["errors"] == [{"code": "system_refused_input", "n": 1}]
    assert "run_retry" in listed["available_actions"]
    (before,) = scores.set_scores(team.admin, row.pk)
    assert (before["n_expected"], before["n_scored"], before["n_failed"]) == (3, 1, 2)
    double.replies["几只"] = "2"
    services.retry_run(actor=team.admin, run_id=run.pk, client_key=key())
    run = work(run)
    assert (run.answered, run.refused, run.failed, run.round) == (2, 1, 0, 1)
    assert (Reply.objects.count(), ReplyFailure.objects.count()) == (3, 1)
    (after,) = scores.set_scores(team.admin, row.pk)
    assert (after["n_scored"], after["n_failed"], after["metrics"][0]["value"]) == (2, 1, 2 / 3)
    assert SetReport.objects.filter(run=run, profile="cvlue-vqa/official").count() == 2
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(runs.predictions_file(team.admin, run.pk)[1]))
    assert scores.report_file(team.admin, run.pk)[1] == printed(capsys, "cvlue-vqa/official", gold, file)


def test_a_retry_that_ends_while_the_run_is_scored_is_scored_afterwards(team, ready, double, monkeypatch):
    row, _ = ready("vqa")
    double.replies = {"灯": "是", "几只": "<fails>", "熊猫": "竹子"}
    run = start(team, row, "double")
    services.embed_accepted(run.pk)
    build = scoring_sets.report_on_answers

    def build_during_retry(*rest, **more):
        if run.reports.count() == 0 and double.replies["几只"] != "2":
            double.replies["几只"] = "2"
            services.retry_run(actor=team.admin, run_id=run.pk, client_key=key())
            services.embed_accepted(run.pk)
        return build(*rest, **more)

    monkeypatch.setattr(scoring_sets, "report_on_answers", build_during_retry)
    for _ in range(2):
        for job_id in sweep_scores():
            score_set_run(job_id=job_id)
    (scored,) = scores.set_scores(team.admin, row.pk)
    assert (scored["n_scored"], scored["n_failed"]) == (3, 0)
    assert not sweep_scores()


def test_a_reply_that_cannot_be_stored_is_kept_with_a_replacement(team, ready, double):
    row, _ = ready("vqa")
    double.replies = {"灯": "a\0b", "几只": "\ud800", "熊猫": "竹子"}
    run = work(start(team, row, "double"))
    assert run.answered == 3
    assert set(Reply.objects.values_list("raw", flat=True)) == {"a\ufffdb", "\ufffd", "竹子"}


def test_pictures_are_not_enlarged_beyond_what_is_sent(team, ready, monkeypatch):
    row, _ = ready("vqa")
    monkeypatch.setattr(run_settings, "MOST_PIXELS", 40 * 20 * 4)
    with pytest.raises(NothingToStart) as refused:
        start(team, row, "demo-scripted", pictures="4")
    assert refused.value.params["reasons"] == "run_setting_unknown"
    start(team, row, "demo-scripted", pictures="2")
    start(team, row, "demo-scripted", pictures=NO_PICTURE)


def test_batch_of_one_equals_batch_of_many(team, ready, monkeypatch):
    row, _ = ready("cmmu")
    many = list(runs.predictions_file(team.admin, work(start(team, row, "demo-scripted")).pk)[1])
    monkeypatch.setattr(runs.work, "in_chunks", lambda entries, pictures: [[no] for no, _ in entries])
    one = work(start(team, row, "demo-scripted"))
    assert one.chunks.count() == one.expected
    assert list(runs.predictions_file(team.admin, one.pk)[1]) == many


def test_a_chunk_that_was_written_is_not_written_again(team, ready):
    row, _ = ready("vqa")
    run = start(team, row, "demo-scripted")
    chunk = chunks.claim_chunk(run.pk)
    replies = replying.answer_chunk(run, chunk)
    Chunk.objects.filter(pk=chunk.pk).update(attempt=chunk.attempt + 1)  # another worker has it
    assert not working._finish(run, chunk, 1, replies)
    run.refresh_from_db()
    assert (run.answered, Reply.objects.count()) == (0, 0)


def test_only_administrators_make_sets_and_the_staff_sees_them(team, ready):
    row, _ = ready("vqa")
    assert [one["id"] for one in queries.set_list(team.senior, team.benchmark.slug)["sets"]] == [row.pk]
    assert queries.set_detail(team.senior, row.pk)["available_actions"] == []
    with pytest.raises(OperationNotAllowed):
        queries.set_detail(team.annotator, row.pk)


def test_a_set_that_was_read_keeps_its_files_though_its_job_failed_afterwards(team, ready):
    row, gold = ready("vqa")
    services_of_sets.give_up(row.job_id)
    row.refresh_from_db()
    assert (row.state, row.fault) == ("ready", None)
    with services_of_sets.gold_file(row) as path:
        assert path.read_bytes() == gold.read_bytes()
    for place in SetPicture.objects.filter(set=row).values_list("key", flat=True):
        assert (Path(settings.MEDIA_ROOT) / place).is_file()


def test_the_sweep_removes_what_no_set_needs(team, ready):
    row, _ = ready("vqa")
    folder = row.files["gold"]["key"].rpartition("/")[0]
    root = Path(settings.MEDIA_ROOT) / folder
    kept = {path.name for path in root.iterdir()}
    (root / "pictures").write_bytes(b"a ZIP whose removal failed")
    (root / "left.jpg").write_bytes(b"of a killed worker")
    assert services_of_sets.sweep_files() == 0  # too young
    assert services_of_sets.sweep_files(now=4e9) == 2
    assert {path.name for path in root.iterdir()} == kept


def test_dialogues_are_asked_with_the_texts_that_their_file_names_by_ids(team, ready, tmp_path):
    row, gold = ready("dialogue")
    assert (row.state, row.size, set(row.files)) == ("ready", 3, {"gold", "pictures", "dialogues"})
    assert [store().exists(row.files[part]["key"]) for part in ("gold", "pictures", "dialogues")] == [
        True,
        False,
        False,
    ]
    second = Entry.objects.get(set=row, key__contains="2").texts["content"]
    assert second["values"] == {
        "caption": "一只熊猫",
        "history": [["它是什么颜色的？", "黑白相间"]],
        "question": "它在做什么？",
    }
    assert (second["options"], second["names"]) == (["在吃竹子", "红色", "绿色", "不知道"], ["4", "1", "2", "5"])
    run = work(start(team, row, "demo-scripted"))
    assert (run.answered, run.failed) == (3, 0)
    sample = samples.prediction(team.admin, run.pk, 1, filters=SampleFilters())
    right = [
        [one["text"] for one in part if one["is_right"]] for part in (sample["options"], sample["reply"]["candidates"])
    ]
    assert right == [["黑白相间"], ["黑白相间"]]
    # Without the file nobody knows the texts.
    before = Entry.objects.count()
    refused = read(create(team, "dialogue", gold, zipped(tmp_path / "pictures"), name="Without texts"))
    assert (refused.state, refused.fault["code"], refused.fault["file"]) == ("refused", "dialogues_needed", gold.name)
    assert Entry.objects.count() == before
