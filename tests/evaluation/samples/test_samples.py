"""The replies of runs over item sets: results, filters, one entry, and what people read in replies."""

import json
import uuid

import pgtrigger
import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from curation.core.errors import ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent, Job
from curation.core.registry import Registry
from evaluation.answering.services import systems
from evaluation.backends import registry
from evaluation.runs import queries as runs
from evaluation.runs import services as run_services
from evaluation.runs.models import Reply, ReplyOverride, Run
from evaluation.runs.rules import NO_PICTURE
from evaluation.runs.services import settings as run_settings
from evaluation.runs.services import working
from evaluation.samples import queries, services
from evaluation.samples.errors import (
    OverrideNoLetter,
    OverrideNoLetters,
    ReplyNotReadable,
    RunNotScoredYet,
    RunsOfOtherSets,
)
from evaluation.samples.rules import SampleFilters
from evaluation.scoring import queries as scores
from evaluation.scoring.models import EntryResult, SetReport
from evaluation.scoring.services import sweep_scores
from evaluation.scoring.tasks import score_set_run
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from tests.evaluation.accepted import benchmark
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import Double, record
from tests.evaluation.answering.double import Entry as Backend
from tests.evaluation.sets.files import create, read, start, work, zipped
from tests.people import key, signed_in

pytestmark = pytest.mark.django_db

EVERYTHING = SampleFilters()


@pytest.fixture
def team(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return benchmark()


@pytest.fixture
def double(monkeypatch, tmp_path):
    """A system whose replies a test chooses by words of the question."""
    one = Double()
    entries = Registry("backend", {**registry.BACKENDS, "double": Backend(one)})
    for module in (systems, run_settings, working, system_services, system_queries):
        monkeypatch.setattr(module, "BACKENDS", entries)
    system_services.add_system(system_queries.read_record(record(tmp_path, "generate", "likelihood")))
    return one


@pytest.fixture
def ready(team, tmp_path):
    """A set of a suite's small files that was read."""

    def made(suite, **more):
        gold = benchmarks.of_suite(suite, tmp_path)
        return read(create(team, suite, gold, zipped(tmp_path / "pictures"), **more))

    return made


@pytest.fixture
def tcc(team, double, ready):
    """Three questions of which one is answered right, one wrong, and one in a way that the headline cannot read."""
    row = ready("tcc")
    double.replies = {"第1题": "想了想。\n答案：B", "第2题": "答案：B", "第3题": "应该是 (a)"}
    return work(start(team, row, "double"))


def post(browser, address, **body):
    return browser.post(address, json.dumps(body), content_type="application/json")


def results(run, **filters):
    listed = queries.prediction_list(run.started_by, run.pk, page_size=50, filters=SampleFilters(**filters))
    return {one["key"]: one["outcome"] for one in listed["results"]}


def number(run, key):
    return EntryResult.objects.filter(report__run=run, entry__key=key).values_list("no", flat=True)[0]


def override(team, run, key_of_entry, answer, *, key_of_client=None, reason="看得很清楚", actor=None):
    return services.override_reply(
        actor=actor or team.admin,
        run_id=run.pk,
        ordinal=number(run, key_of_entry),
        answer=answer,
        reason=reason,
        client_key=key_of_client or uuid.uuid4(),
    )


def score_again():
    """What the job does that the sweep queues; returns how many runs it scored."""
    jobs = sweep_scores()
    for job_id in jobs:
        score_set_run(job_id=job_id)
    assert not Job.objects.exclude(state=Job.State.DONE).exists()
    return len(jobs)


def test_each_entry_has_a_result_by_the_headline_profile(team, tcc):
    assert results(tcc) == {"1": "right", "2": "wrong", "3": "unparsed"}
    stored = EntryResult.objects.filter(entry__key="1").get()
    assert (stored.report.profile, stored.value, stored.extracted, stored.rule) == ("tcc-mcq/paper", 1, "B", "line")
    assert EntryResult.objects.count() == 3  # of the headline alone


@pytest.mark.parametrize("suite", ["cmmu", "cvqa", "grounding", "tcc", "vistai", "vistai-dialogue", "vqa"])
def test_counts_of_results_are_those_of_the_report(team, ready, suite):
    row = ready(suite)
    run = work(start(team, row, "demo-scripted"))
    (scored,) = scores.set_scores(team.admin, row.pk)
    counts = {one["outcome"]: one["n"] for one in queries.prediction_filters(team.admin, run.pk)["outcomes"]}
    assert sum(counts.values()) == row.size == EntryResult.objects.filter(report__run=run).count()
    if suite != "cmmu":  # whose shifts are counted together
        assert counts.get("missing", 0) == scored["n_missing"]
        assert counts.get("unparsed", 0) == scored["n_unparsable"]
        accuracy = {"grounding": "IoU>0.5", "vistai-dialogue": ""}.get(suite, "accuracy")
        value = [one["value"] for one in scored["metrics"] if one["metric"] == accuracy][:1]
        assert suite == "vistai" or not value or counts.get("right", 0) == round(value[0] * row.size)
    for no in range(1, row.size + 1):
        shown = queries.prediction(team.admin, run.pk, no, filters=EVERYTHING)
        assert (shown["no"], bool(shown["picture"])) == (no, True)
        raw = Reply.objects.get(run=run, entry__no=no).raw
        assert "".join(piece["text"] for piece in shown["reply"]["pieces"]) == raw


def test_results_are_never_changed(tcc):
    for row in (EntryResult.objects.first(), SetReport.objects.first()):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            type(row).objects.filter(pk=row.pk).update(**{"rule" if hasattr(row, "rule") else "overrides": "1"})


def test_a_run_that_was_scored_before_there_were_results_is_scored_again(tcc):
    with pgtrigger.ignore("evaluation.EntryResult:append_only"):
        EntryResult.objects.all().delete()
    with pytest.raises(RunNotScoredYet):
        results(tcc)
    assert (score_again(), score_again()) == (1, 0)
    assert len(results(tcc)) == 3


def test_entries_are_filtered_by_outcome_tag_and_another_run(team, double, tcc):
    assert results(tcc, outcome="wrong") == {"2": "wrong"}
    assert set(results(tcc, tag="domain", value="Diet")) == {"1", "3"}
    assert results(tcc, tag="domain", value="Diet", outcome="right") == {"1": "right"}
    assert results(tcc, tag="domain", value="?") == results(tcc, tag="other", value="") == {}
    double.replies = {"第1题": "答案：C", "第2题": "答案：C", "第3题": "<fails>"}
    other = work(start(team, tcc.set, "double", pictures=NO_PICTURE))
    assert results(other) == {"1": "wrong", "2": "right", "3": "failed"}
    assert set(results(tcc, against=other.pk)) == set(results(other, against=tcc.pk, than="worse")) == {"1"}
    assert set(results(tcc, against=other.pk, than="worse")) == {"2"}
    assert results(tcc, against=other.pk, than="worse", outcome="unparsed") == {}
    filters = queries.prediction_filters(team.admin, tcc.pk)
    assert [one["run"] for one in filters["runs"]] == [other.pk]
    assert {tag["name"]: tag["values"] for tag in filters["tags"]}["domain"] == [
        {"value": "Diet", "n": 2},
        {"value": "Music", "n": 1},
    ]


def test_runs_of_other_sets_are_not_compared(team, tcc, ready):
    other = work(start(team, ready("vqa", name="Another"), "demo-scripted"))
    with pytest.raises(RunsOfOtherSets):
        results(tcc, against=other.pk)
    with pytest.raises(RunsOfOtherSets):
        results(tcc, against=2**40)
    started = start(team, tcc.set, "double", pictures="1/2")
    with pytest.raises(RunNotScoredYet):
        results(tcc, against=started.pk)


def test_pages_follow_each_other_and_neighbours_are_within_the_filters(team, tcc):
    first = queries.prediction_list(team.admin, tcc.pk, page_size=2, filters=EVERYTHING)
    assert (len(first["results"]), first["total"]) == (2, 3)
    rest = queries.prediction_list(team.admin, tcc.pk, page_size=2, filters=EVERYTHING, cursor=first["next"])
    assert ([one["no"] for one in first["results"] + rest["results"]], rest["next"]) == ([1, 2, 3], None)
    no = number(tcc, "1")
    diet = SampleFilters(tag="domain", value="Diet")
    around = queries.prediction(team.admin, tcc.pk, no, filters=diet)
    assert {around["previous"], around["next"]} == {None, number(tcc, "3")}
    with pytest.raises(NotFound):
        queries.prediction(team.admin, tcc.pk, 99, filters=EVERYTHING)


def test_one_entry_has_the_prompt_as_it_was_sent_and_the_part_that_was_read(team, double, tcc):
    shown = queries.prediction(team.admin, tcc.pk, number(tcc, "1"), filters=EVERYTHING)
    sent = next(ask for ask in double.asks if "第1题" in ask.messages[-1].text)
    parts = [part["text"] for message in shown["messages"] for part in message["parts"] if not part["picture"]]
    assert parts == [part for message in sent.messages for part in message.parts if isinstance(part, str)]
    assert sum(part["picture"] for message in shown["messages"] for part in message["parts"]) == 1
    assert shown["reply"]["pieces"] == [{"text": "想了想。\n答案：", "is_read": False}, {"text": "B", "is_read": True}]
    assert (shown["right"], [one["name"] for one in shown["options"] if one["is_right"]]) == ("B", ["B"])
    assert shown["form"] == {"expects": "letter", "letters": "ABCD", "maximum": 500}


def test_without_pictures_none_is_in_the_prompt_and_candidates_have_shares(team, double, tcc):
    double.scores = {"B": -1.0, "A": -2.0, "C": -3.0, "D": -3.0}
    run = work(start(team, tcc.set, "double", pictures=NO_PICTURE, means="likelihood"))
    shown = queries.prediction(team.admin, run.pk, number(run, "1"), filters=EVERYTHING)
    assert not any(part["picture"] for message in shown["messages"] for part in message["parts"])
    bars = shown["reply"]["candidates"]
    assert [(one["name"], one["measured"], one["is_right"], one["is_best"]) for one in bars] == [
        ("A", -2.0, False, False),
        ("B", -1.0, True, True),
        ("C", -3.0, False, False),
        ("D", -3.0, False, False),
    ]
    assert sum(one["share"] for one in bars) == pytest.approx(1)
    assert (shown["form"], shown["available_actions"]) == (None, [])
    with pytest.raises(ReplyNotReadable):
        override(team, run, "1", "B")
    other = next(one for one in shown["others"] if one["run"] == tcc.pk)
    assert (other["result"]["outcome"], other["text"]) == ("right", "想了想。\n答案：B")


def test_an_override_gives_a_second_report_and_leaves_the_first(team, tcc, tmp_path, capsys):
    before = scores.report_file(team.admin, tcc.pk)
    lines = list(runs.predictions_file(team.admin, tcc.pk)[1])
    with pytest.raises(NotFound):
        scores.report_file(team.admin, tcc.pk, overrides=True)
    override(team, tcc, "3", "a")
    shown = queries.prediction(team.admin, tcc.pk, number(tcc, "3"), filters=EVERYTHING)
    assert (shown["corrected"], shown["overrides"][0]["answer"]) == (None, "A")  # not scored yet
    assert (score_again(), score_again()) == (1, 0)
    assert scores.report_file(team.admin, tcc.pk) == before
    assert list(runs.predictions_file(team.admin, tcc.pk)[1]) == lines
    name, text = scores.report_file(team.admin, tcc.pk, overrides=True)
    report = json.loads(text)
    assert name == f"run-{tcc.pk}-tcc-mcq-paper-overrides.json"
    assert (report["n_overrides"], report["n_unparsable"], report["metrics"]["accuracy"]["value"]) == (1, 0, 2 / 3)
    (scored,) = scores.set_scores(team.admin, tcc.set.pk)
    assert (scored["metrics"][0]["value"], scored["overrides"], scored["corrected"][0]["value"]) == (1 / 3, 1, 2 / 3)
    assert {one["profile"] for one in scored["corrected"]} == set(scored["reports"])
    shown = queries.prediction(team.admin, tcc.pk, number(tcc, "3"), filters=EVERYTHING)
    assert shown["result"]["outcome"] == "unparsed"
    assert shown["corrected"] == {"outcome": "right", "value": 1.0, "extracted": "A", "rule": "override"}
    assert set(results(tcc, overridden=True)) == {"3"}
    # The command's report of the file is still that as read.
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(lines))
    capsys.readouterr()
    call_command("score", "tcc-mcq/paper", gold=tmp_path / "VQA1.csv", predictions=[str(file)])
    assert capsys.readouterr().out == before[1]


def test_the_newest_override_counts(team, tcc):
    for answer in ("C", None, "A"):
        override(team, tcc, "3", answer)
    override(team, tcc, "1", None)
    score_again()
    (scored,) = scores.set_scores(team.admin, tcc.set.pk)
    assert (scored["overrides"], scored["corrected"][0]["value"]) == (2, 1 / 3)
    override(team, tcc, "1", "B")
    score_again()
    (scored,) = scores.set_scores(team.admin, tcc.set.pk)
    assert (scored["overrides"], scored["corrected"][0]["value"]) == (2, 2 / 3)
    listed = queries.prediction(team.admin, tcc.pk, number(tcc, "3"), filters=EVERYTHING)["overrides"]
    assert [one["answer"] for one in listed] == ["A", None, "C"]
    # Of each report with overrides, only the entries that people read are stored.
    assert EntryResult.objects.filter(report__overrides__gt=0).count() == 2 + 2


def test_a_run_that_is_retried_is_scored_twice_as_well(team, double, ready):
    row = ready("tcc")
    double.replies = {"第1题": "答案：C", "第2题": "<fails>", "第3题": "答案：A"}
    run = work(start(team, row, "double"))
    override(team, run, "1", "B")
    score_again()
    double.replies["第2题"] = "答案：C"
    run_services.retry_run(actor=team.admin, run_id=run.pk, client_key=key())
    run = work(run)
    (scored,) = scores.set_scores(team.admin, row.pk)
    assert (scored["metrics"][0]["value"], scored["corrected"][0]["value"]) == (2 / 3, 1)
    assert results(run) == {"1": "wrong", "2": "right", "3": "right"}
    assert score_again() == 0


def test_every_shift_of_a_question_is_a_sample(team, double, ready):
    row = ready("cmmu")
    double.replies = {"光是": "B", "哪些": "AB", "填空": "粒子性"}
    run = work(start(team, row, "double"))
    assert [results(run)[f"physics_1-{i}"] for i in range(4)] == ["right", "wrong", "wrong", "wrong"]
    for shift, letter in (("1", "C"), ("2", "D"), ("3", "A")):
        override(team, run, f"physics_1-{shift}", letter)
    override(team, run, "history_2-0", "ca")
    with pytest.raises(OverrideNoLetters):
        override(team, run, "history_2-0", "AE")
    with pytest.raises(ReplyNotReadable):  # a judge reads it
        override(team, run, "physics_3-0", "粒子性")
    score_again()
    (scored,) = scores.set_scores(team.admin, row.pk)
    corrected = {one["metric"]: one["value"] for one in scored["corrected"] if one["profile"] == "cmmu/paper"}
    assert (corrected["MCQ"], corrected["MRQ"], scored["overrides"]) == (1, 1, 4)


def state():
    return ReplyOverride.objects.count(), AuditEvent.objects.filter(action="prediction_override").count()


def test_what_is_rejected_changes_nothing(team, double, tcc):
    before = state()
    for answer in ("E", "AB", "酒"):
        with pytest.raises(OverrideNoLetter) as rejected:
            override(team, tcc, "3", answer)
        assert rejected.value.params == {"letters": "A, B, C, D"}
    with pytest.raises(OperationNotAllowed):
        override(team, tcc, "3", "A", actor=team.senior)
    with pytest.raises(NotFound):
        override(team, tcc, "3", "A", actor=team.stranger)
    with pytest.raises(NotFound):
        services.override_reply(
            actor=team.admin, run_id=tcc.pk, ordinal=99, answer="A", reason="x", client_key=uuid.uuid4()
        )
    double.replies = {"第1题": "<refused>", "第2题": "<fails>", "第3题": ""}
    empty = work(start(team, tcc.set, "double", pictures=NO_PICTURE))
    for one in ("1", "2", "3"):
        with pytest.raises(ReplyNotReadable):
            override(team, empty, one, "A")
    with pytest.raises(RunNotScoredYet):
        services.override_reply(
            actor=team.admin,
            run_id=start(team, tcc.set, "double", pictures="1/2").pk,
            ordinal=1,
            answer="A",
            reason="x",
            client_key=uuid.uuid4(),
        )
    assert state() == before
    assert sweep_scores() == []


@pytest.mark.parametrize("wrong", [{"reason": " \n "}, {"reason": ""}, {"answer": ""}, {"variant": 1}])
def test_the_database_keeps_no_override_without_reason_and_reply(team, tcc, wrong):
    entry = EntryResult.objects.first().entry
    facts = {"run": tcc, "entry": entry, "answer": "A", "reason": "x", "person": team.admin, "client_key": uuid.uuid4()}
    with pytest.raises(IntegrityError), transaction.atomic():
        ReplyOverride.objects.create(**{**facts, **wrong})


def test_a_command_is_carried_out_once_and_is_in_the_audit_log(team, tcc):
    same = uuid.uuid4()
    first = override(team, tcc, "3", "A", key_of_client=same)
    assert override(team, tcc, "3", "A", key_of_client=same).pk == first.pk
    with pytest.raises(ClientKeyReused):
        override(team, tcc, "3", "B", key_of_client=same)
    with pytest.raises(ClientKeyReused):
        override(team, tcc, "1", "A", key_of_client=same)
    event = AuditEvent.objects.get(action="prediction_override")
    assert (event.target_type, event.target_id, event.data["override"]) == ("run", tcc.pk, first.pk)
    assert "看得" not in str(event.data)


def test_over_http_the_override_is_answered_with_the_entry(team, tcc):
    admin, no = signed_in(team.admin), number(tcc, "3")
    address = f"/api/v1/runs/{tcc.pk}/samples/{no}"
    answer = post(admin, f"{address}/override", answer=None, reason="没有作答", client_key=key())
    assert (answer.status_code, answer.json()["overrides"][0]["answer"]) == (201, None)
    for body in ({"answer": "A", "reason": " "}, {"answer": "A"}, {"reason": "x"}):
        assert post(admin, f"{address}/override", **body, client_key=key()).status_code == 400
    rejected = post(admin, f"{address}/override", answer="E", reason="x", client_key=key())
    assert (rejected.status_code, rejected.json()["code"]) == (422, "override_no_letter")
    assert ReplyOverride.objects.count() == 1
    curator = signed_in(team.curator)
    assert curator.get(address).json()["available_actions"] == ["prediction_override"]
    assert post(curator, f"{address}/override", answer="B", reason="x", client_key=key()).status_code == 201
    senior = signed_in(team.senior)
    assert senior.get(address).json()["available_actions"] == []
    assert post(senior, f"{address}/override", answer="B", reason="x", client_key=key()).status_code == 403
    listed = senior.get(f"/api/v1/runs/{tcc.pk}/samples?outcome=unparsed").json()
    assert [(one["key"], one["is_overridden"], one["right"]) for one in listed["results"]] == [("3", True, "A")]
    assert senior.get(f"/api/v1/runs/{tcc.pk}/samples?tag=domain").status_code == 400
    assert signed_in(team.annotator).get(address).status_code == 403


def test_the_picture_is_for_those_who_see_samples_and_no_cache_keeps_it(team, tcc, ready):
    senior = signed_in(team.senior)
    picture = senior.get(f"/api/v1/runs/{tcc.pk}/samples/1").json()["picture"]
    answer = senior.get(picture["url"])
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "private, no-cache")
    assert answer.headers["Content-Type"].startswith("image/")
    again = senior.get(picture["url"], headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert signed_in(team.annotator).get(picture["url"]).status_code == 403
    other = ready("vqa", name="Another")
    assert senior.get(picture["url"].replace(f"sets/{tcc.set.pk}/", f"sets/{other.pk}/")).status_code == 404


def test_the_statements_of_a_page_do_not_grow_with_the_runs(team, double, tcc, django_assert_max_num_queries):
    for scale in ("1/2", "1/4", "1/8"):
        work(start(team, tcc.set, "double", pictures=scale))
    with django_assert_max_num_queries(24):
        queries.prediction(team.admin, tcc.pk, 1, filters=EVERYTHING)
    with django_assert_max_num_queries(9):
        queries.prediction_list(team.admin, tcc.pk, page_size=50, filters=EVERYTHING)
    assert Run.objects.count() == 4
