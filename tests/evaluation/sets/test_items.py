"""Accepted work and releases become item sets: who is run over them, what is sent, and how it is scored."""

import json
import uuid
from datetime import timedelta

import pytest
from django.core.management import call_command

from annotation.items.models import Item
from annotation.releases import services as releases
from annotation.releases.models import Release
from annotation.releases.rules import scored_round
from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import preset
from curation.core.errors import ActionNotAllowed
from curation.images.models import Image, Rendition
from evaluation.profiles.reports import report_text
from evaluation.runs import queries as runs
from evaluation.runs import services
from evaluation.runs.errors import SuiteNotForRelease, SystemNotForSuite
from evaluation.runs.models import Reply, ReplyFailure, Run
from evaluation.runs.rules import NO_PICTURE
from evaluation.runs.services import replying
from evaluation.samples.services import override_reply
from evaluation.scoring import queries as scores
from evaluation.scoring import services as scoring
from evaluation.scoring.models import EntryResult
from evaluation.scoring.tasks import score_set_run
from evaluation.sets import queries
from evaluation.sets.models import Entry, ItemSet
from evaluation.submissions import services as submissions
from evaluation.submissions.queries import gold_rows, listed_submissions, template
from evaluation.suites.rules import SUITES, profiles_of
from tests.annotation.releases.content import accept, accept_dialogue, captions, frozen, picture, rounds, team
from tests.evaluation.publication.published import content, reduced
from tests.evaluation.sets.files import read, start, work
from tests.evaluation.submissions.predictions import scored
from tests.kinds import CONTENTS, numbers_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
REQUESTED = {"systems": ["demo-scripted"], "suites": ["vqa", "cvqa"]}


def world(evaluation=REQUESTED, pictures=6, kinds=("vqa", "multiple_choice")):
    """A benchmark with accepted questions of both kinds on some pictures, or with other accepted work."""
    base = content()
    kinds = {kind: numbers_of(kind) for kind in kinds}
    languages = {"content": "zh-Hans", "translation": "en"}
    here = team(content=base | {"kinds": base["kinds"] | kinds, "evaluation": evaluation, "languages": languages})
    for number in range(1, pictures + 1):
        image = picture(here, number)
        for kind in kinds:
            if kind == "dialogue":
                accept_dialogue(here, image, number)
            else:
                accept(here, image, number, kind=kind, content=CONTENTS[kind](number))
    return here


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def here():
    return world()


def rolling(suite):
    return Run.objects.get(set__origin="rolling", suite=suite)


def entries(suite, **filters):
    return Entry.objects.filter(set__suite=suite, **filters).order_by("no")


def reopen(kind, number):
    Item.objects.filter(kind=kind, number=number).update(state="made", accepted_no=None)


def adopt(here, **parts):
    """Another version of the protocol, with other parts."""
    protocol = here.benchmark.protocol
    protocol.pk, protocol.version, protocol.content = None, protocol.version + 1, protocol.content | parts
    protocol.save(force_insert=True)
    Benchmark.objects.filter(pk=here.benchmark.pk).update(protocol=protocol)


def freeze(here):
    """A release of both kinds, with all that the sweep starts."""
    release = frozen(here, "vqa", "multiple_choice")
    services.sweep_predictions()
    for row in ItemSet.objects.filter(release=release):
        read(row)
    services.sweep_predictions()
    return release


# --- accepted work ----------------------------------------------------------------------------------------------------


def test_accepted_questions_are_answered_without_anyone_asking(here):
    woken = services.sweep_predictions()
    runs_ = {run.suite: run for run in Run.objects.all()}
    assert {name: (run.set.origin, run.set.size, run.expected) for name, run in runs_.items()} == {
        "vqa": ("rolling", 18, 18),
        "cvqa": ("rolling", 6, 6),
    }
    assert sorted(woken) == sorted(run.pk for run in runs_.values())
    assert services.sweep_predictions() == woken  # a second sweep opens nothing
    for run in runs_.values():
        assert services.embed_accepted(run.pk) == "done"
        run.refresh_from_db()
        assert (run.state, run.answered, run.failed) == ("open", run.expected, 0)
    assert services.sweep_predictions() == []
    accept(here, picture(here, 7), 7, kind="multiple_choice", content=CONTENTS["multiple_choice"](7))
    assert services.sweep_predictions() == [runs_["cvqa"].pk]
    assert services.embed_accepted(runs_["cvqa"].pk) == "done"
    run = rolling("cvqa")
    assert (run.set.size, run.cut_to, run.expected, run.answered) == (7, 7, 7, 7)


def test_accepted_expressions_are_asked_without_their_boxes_and_the_right_boxes_get_full_marks(tmp_path):
    here = world({"systems": ["demo-scripted"], "suites": ["grounding"]}, pictures=2, kinds=["grounding"])
    [woken] = services.sweep_predictions()
    entry = entries("grounding").first()
    assert entry.texts["content"]["values"] == {"expression": "第1幅画里左边的那杯"}
    assert "box" not in json.dumps(entry.texts)
    assert "gold" not in json.dumps(entry.texts)
    assert services.embed_accepted(woken) == "done"
    run = rolling("grounding")
    assert (run.answered, run.expected) == (2, 2)
    release = frozen(here, "grounding")
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "answers.jsonl"
    rows = [row.fields for row in gold_rows(release.kinds.get())]
    assert [(row["id"], row["gold"]) for row in rows] == [("21", [2, 0.25, 8.5, 9])]  # of the test split
    asked = template(here.admin, release.pk).content.decode().splitlines()
    boxes = {row["id"]: row["gold"] for row in rows}
    filled = [json.loads(line) | {"response": boxes[json.loads(line)["id"]]} for line in asked]
    for path, lines in ((gold, rows), (answers, filled)):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    for profile in profiles_of("grounding"):
        report = tmp_path / "report.json"
        call_command("score", profile, gold=gold, predictions=[str(answers)], out=report)
        scored_ = json.loads(report.read_text())
        assert ({m["value"] for m in scored_["metrics"].values()}, scored_["n_scored"]) == ({1.0}, 1)


def test_accepted_dialogues_are_asked_at_one_round_with_candidates_and_the_right_ones_get_full_marks(tmp_path):
    here = world({"systems": ["demo-scripted"], "suites": ["dialogue"]}, pictures=10, kinds=["dialogue"])
    [woken] = services.sweep_predictions()
    for number, entry in enumerate(entries("dialogue"), 1):
        at, own = scored_round(0, number, 10), rounds(number)["rounds"]
        assert entry.key == f"{number}#{at}"
        texts = entry.texts["content"]
        assert texts["values"] == {
            "caption": captions(number)["captions"][2],
            "history": [[one["question"], one["answer"]] for one in own[: at - 1]],
            "question": own[at - 1]["question"],
        }
        assert len(set(texts["options"])) == len(texts["names"]) == 100
        right = texts["names"].index(entry.gold)
        assert texts["options"][right] == own[at - 1]["answer"]
        assert "gold" not in json.dumps(texts)
    assert services.embed_accepted(woken) == "done"
    run = rolling("dialogue")
    assert (run.answered, run.expected, run.settings["means"], run.settings["ranked"]) == (
        *(10, 10),
        *("likelihood", ["options", True]),
    )
    assert {len(reply.value["sums"]) for reply in Reply.objects.filter(run=run)} == {100}
    release = frozen(here, "dialogue")
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "answers.jsonl"
    rows = [row.fields for row in gold_rows(release.kinds.get())]
    asked = [json.loads(line) for line in template(here.admin, release.pk).content.decode().splitlines()]
    assert [(row["id"], row["image"]) for row in asked] == [(row["id"], row["image"]) for row in rows]
    assert (len(rows), {len(row["candidates"]) for row in asked}, {str(row["response"]) for row in asked}) == (
        *(3, {100}),
        {"[]"},
    )
    right = {row["id"]: row["gold"] for row in rows}
    filled = [
        {"id": row["id"], "response": sorted(map(str, row["answer_options"]), key=lambda one: one != right[row["id"]])}
        for row in asked
    ]
    for path, lines in ((gold, rows), (answers, filled)):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    recalls = {"R@1": 1.0, "R@5": 1.0, "R@10": 1.0}
    for profile in profiles_of("dialogue"):
        report = tmp_path / "report.json"
        call_command("score", profile, gold=gold, predictions=[str(answers)], out=report)
        scored_ = json.loads(report.read_text())
        more = {"MRR": 1.0, "mean rank": 1.0} if profile == "cvlue-vd/full" else {}
        assert {name: m["value"] for name, m in scored_["metrics"].items()} == recalls | more
        assert scored_["n_scored"] == 3


def test_the_first_dialogues_have_the_candidates_that_there_are_then():
    here = world({"systems": ["demo-dual-encoder"], "suites": ["dialogue"]}, pictures=1, kinds=["dialogue"])
    [woken] = services.sweep_predictions()
    assert {len(one.texts["content"]["options"]) for one in entries("dialogue")} == {10}
    accept_dialogue(here, picture(here, 2), 2)
    assert services.sweep_predictions() == [woken]
    assert [len(one.texts["content"]["options"]) for one in entries("dialogue")] == [10, 20]
    assert services.embed_accepted(woken) == "done"
    run = rolling("dialogue")
    assert (run.answered, run.failed, run.settings["means"]) == (2, 0, "similarity")


def test_a_system_gets_both_languages_and_no_right_answer(here):
    services.sweep_predictions()
    row = ItemSet.objects.get(suite="cvqa")
    assert (row.state, row.sides, row.name, row.created_by_id) == ("ready", ["content", "en"], "", None)
    entry = entries("cvqa").first()
    assert entry.texts["content"]["values"]["question"] == "第1幅画里左边摆着什么？"
    assert entry.texts["en"]["values"]["question"] == "What stands on the left of picture 1?"
    assert entry.texts["en"]["options"]["ABCD".index(entry.gold)] == "Thing 1"
    assert "gold" not in json.dumps(entry.texts)
    assert entries("vqa").first().texts["content"]["values"] == {"question": "第1幅画里左边摆着哪样东西？"}


def test_what_is_reopened_ends_and_is_asked_again_once_it_is_accepted_again(here):
    services.sweep_predictions()
    services.embed_accepted(rolling("vqa").pk)
    item = Item.objects.get(kind="vqa", number=2)
    was = item.accepted_no
    reopen("vqa", 2)
    assert rolling("vqa").pk not in services.sweep_predictions()
    assert entries("vqa", item=item, ended_at=None).count() == 0
    assert entries("vqa", item=item).count() == 3
    lines = list(runs.predictions_file(here.admin, rolling("vqa").pk)[1])
    assert len(lines) == 15
    Item.objects.filter(pk=item.pk).update(state="accepted", accepted_no=was)
    services.sweep_predictions()
    assert [entry.no for entry in entries("vqa", item=item, ended_at=None)] == [19, 20, 21]
    services.embed_accepted(rolling("vqa").pk)
    run = rolling("vqa")
    assert (run.expected, run.answered, run.cut_to) == (21, 21, 21)
    assert len(list(runs.predictions_file(here.admin, run.pk)[1])) == 18


def test_a_question_that_ended_before_it_was_cut_is_not_asked(here):
    services.sweep_predictions()
    row = ItemSet.objects.get(suite="vqa")
    run = rolling("vqa")
    services.cancel_run(actor=here.admin, run_id=run.pk, client_key=uuid.uuid4())
    reopen("vqa", 3)
    services.sweep_predictions()
    assert not Run.objects.filter(suite="vqa").exclude(pk=run.pk).exists()  # what was cancelled is not opened again
    other = start(here, row, "demo-scripted")
    assert (other.expected, other.cut_to) == (15, 18)


def test_the_set_of_a_system_without_the_capability_has_no_run(tmp_path):
    world({"systems": ["demo-dual-encoder", "unknown"], "suites": ["vqa"]})
    assert services.sweep_predictions() == []
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("name", "suite", "setting"),
    [
        ("cvlue", "vqa", "short"),
        ("demo", "vqa", "short"),
        ("cvlue", "grounding", "box"),
        ("cvlue", "dialogue", "candidates"),
        ("cvqa", "cvqa", "plain"),  # no question says its country
        ("tcc-bench", "tcc", "direct"),
        ("vistai", "vistai", "cot"),
    ],
)
def test_what_a_preset_requests_is_answered(name, suite, setting):
    kinds = [SUITES[suite].kind]
    world(preset(name).content["evaluation"], pictures=2, kinds=kinds)
    services.sweep_predictions()
    (run,) = Run.objects.filter(suite=suite, system__slug="demo-scripted")
    assert run.settings["setting"] == setting
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    assert (run.answered, run.failed, run.expected) == (run.set.size, 0, run.set.size)


def test_a_suite_whose_kind_the_protocol_does_not_have_has_no_set():
    here = world({"systems": ["demo-scripted"], "suites": ["cvqa", "vqa"]}, pictures=1)
    adopt(here, kinds={"vqa": here.benchmark.protocol.content["kinds"]["vqa"]})
    services.sweep_predictions()
    assert list(ItemSet.objects.values_list("suite", "size")) == [("vqa", 3)]


def test_a_run_that_no_protocol_requests_any_longer_is_closed(here):
    services.sweep_predictions()
    own = start(here, ItemSet.objects.get(suite="vqa"), "demo-scripted", pictures=NO_PICTURE)
    adopt(here, evaluation=REQUESTED | {"suites": ["cvqa"]})
    services.sweep_predictions()
    assert {run.suite: run.state for run in Run.objects.exclude(pk=own.pk)} == {"vqa": "closed", "cvqa": "open"}
    own.refresh_from_db()
    assert own.state == "open"  # a person started it


def test_a_covered_picture_is_sent_to_nobody_until_it_was_looked_at_again(here):
    Image.objects.filter(number=1).update(pii_clear_by=None)
    services.sweep_predictions()
    assert entries("vqa").count() == 15
    Image.objects.filter(number=2).update(pii_clear_by=None)  # after it was cut
    services.embed_accepted(rolling("vqa").pk)
    run = rolling("vqa")
    assert (run.answered, run.failed) == (12, 3)
    assert set(ReplyFailure.objects.values_list("code", "entry__item__number")) == {("picture_missing", 2)}
    page = runs.failures(here.admin, run.pk, page_size=2)
    second = runs.failures(here.admin, run.pk, page_size=2, cursor=page["next"])
    rows = [(row["variant"], row["image"]["label"]) for row in page["results"] + second["results"]]
    assert rows == [(entry.key, "img-0002") for entry in entries("vqa", item__number=2)]
    assert (page["total"], second["next"]) == (3, None)
    Image.objects.filter(number__in=(1, 2)).update(pii_clear_by=here.curator)
    services.retry_run(actor=here.admin, run_id=run.pk, client_key=uuid.uuid4())
    services.sweep_predictions()
    services.embed_accepted(run.pk)
    run = rolling("vqa")
    assert (run.expected, run.answered, run.failed) == (18, 18, 0)


def test_an_answer_to_a_picture_that_was_covered_meanwhile_counts_as_failed(here, monkeypatch):
    services.sweep_predictions()
    plain = replying.answer_chunk

    def covered(run, chunk):
        replies = plain(run, chunk)
        Image.objects.filter(number=1).update(redaction_no=1, pii_clear_by=None)
        return replies

    monkeypatch.setattr(replying, "answer_chunk", covered)
    services.embed_accepted(rolling("vqa").pk)
    run = rolling("vqa")
    assert set(ReplyFailure.objects.values_list("code", "entry__item__number")) == {("picture_altered", 1)}
    assert (run.answered, run.failed) == (15, 3)
    assert Reply.objects.filter(run=run).count() == 15


# --- releases ---------------------------------------------------------------------------------------------------------


def test_a_release_is_answered_by_what_its_own_protocol_requests(here):
    release = frozen(here, "vqa", "multiple_choice")
    services.sweep_predictions()
    sets = {row.suite: row for row in ItemSet.objects.filter(release=release)}
    assert {name: (row.name, row.state) for name, row in sets.items()} == {
        "vqa": (release.label, "waiting"),
        "cvqa": (release.label, "waiting"),
    }
    assert not Run.objects.filter(set__release=release).exists()  # its questions are not there yet
    started = services.start_run(
        actor=here.admin,
        benchmark_slug="cvlue",
        system_slug="demo-scripted",
        suite_name="vqa",
        release_id=release.pk,
        client_key=uuid.uuid4(),
    )
    assert services.embed_accepted(started.run_id) == "done"
    assert (Run.objects.get(pk=started.run_id).state, Run.objects.get(pk=started.run_id).expected) == ("open", 0)
    for row in sets.values():
        read(row)
    n = Release.objects.get(pk=release.pk).kinds.get(kind="vqa").split_counts["test"][1]
    assert (sets["vqa"].state, sets["vqa"].size, sets["vqa"].sides) == ("ready", 3 * n, ["content"])
    assert sets["cvqa"].sides == ["content", "en"]
    services.sweep_predictions()
    run = work(Run.objects.get(set=sets["vqa"]))
    assert (run.pk, run.settings["setting"]) == (started.run_id, "short")  # one system answers a setting once
    assert (run.state, run.expected, run.answered, run.label) == (
        "closed",
        3 * n,
        3 * n,
        f"demo-scripted set-{run.set.pk}",
    )
    other = Run.objects.get(set=sets["cvqa"])
    assert (other.settings["setting"], other.started_by) == ("plain", None)  # no question says its country
    services.sweep_predictions()
    assert Run.objects.filter(set__release=release).count() == 2


@pytest.mark.parametrize("suite", ["vqa", "cvqa", "tcc", "vistai"])
def test_run_file_and_command_give_one_report(here, tmp_path, capsys, suite):
    release = frozen(here, "vqa", "multiple_choice")
    key_ = uuid.uuid4()
    given = {"benchmark_slug": "cvlue", "system_slug": "demo-scripted", "suite_name": suite, "release_id": release.pk}
    started = services.start_run(actor=here.admin, client_key=key_, **given)
    assert services.start_run(actor=here.admin, client_key=key_, **given) == started._replace(created=False)
    run = Run.objects.get(pk=started.run_id)
    read(run.set)
    run = work(run)
    lines = "".join(runs.predictions_file(here.admin, run.pk)[1])
    gold, file = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    file.write_text(lines)
    own = release.kinds.select_related("release__protocol").get(kind=SUITES[suite].kind)
    gold.write_text("".join(json.dumps(row.fields, ensure_ascii=False) + "\n" for row in gold_rows(own)))
    compared = 0
    for profile in SUITES[suite].profiles:
        if profile not in scores.newest_reports([run])[run.pk]:
            continue
        _, text = scores.report_file(here.admin, run.pk, profile=profile)
        submission = scored(here.admin, release, lines.encode(), profile=profile)
        capsys.readouterr()
        call_command("score", profile, gold=gold, predictions=[str(file)])
        assert text == report_text(submission.report) == capsys.readouterr().out
        compared += 1
    assert compared == len(SUITES[suite].profiles)
    assert set(SUITES[suite].profiles) <= set(profiles_of(own.kind))


def test_a_run_over_a_release_is_refused_where_nothing_fits(here):
    release = frozen(here, "vqa")
    for suite, system, error in (
        ("cvqa", "demo-scripted", SuiteNotForRelease),
        ("grounding", "demo-scripted", SuiteNotForRelease),
        ("vqa", "demo-dual-encoder", SystemNotForSuite),
        ("vqa", "unknown", SystemNotForSuite),
    ):
        with pytest.raises(error):
            services.start_run(
                actor=here.admin,
                benchmark_slug="cvlue",
                system_slug=system,
                suite_name=suite,
                release_id=release.pk,
                client_key=uuid.uuid4(),
            )
    assert not Run.objects.exists()


def test_runs_over_a_withdrawn_release_end_and_no_other_starts(here):
    release = freeze(here)
    row = ItemSet.objects.get(release=release, suite="vqa")
    releases.withdraw_release(actor=here.admin, release_id=release.pk, reason="照片有误", client_key=uuid.uuid4())
    services.sweep_predictions()
    assert set(Run.objects.filter(set__release=release).values_list("state", flat=True)) == {"cancelled"}
    with pytest.raises(ActionNotAllowed):
        start(here, row, "demo-scripted")


# --- what pages show --------------------------------------------------------------------------------------------------


def test_sets_and_runs_say_where_they_come_from(here):
    release = freeze(here)
    shown = {(row["origin"], row["suite"]): row for row in queries.set_list(here.senior, "cvlue")["sets"]}
    of_release, of_work = shown["release", "vqa"], shown["rolling", "vqa"]
    assert (of_release["release"], of_release["gold"]) == ({"id": release.pk, "label": release.label}, None)
    assert (of_work["size"], of_work["pictures"], of_work["name"], of_work["created_by"]) == (18, 6, "", None)
    client = signed_in(here.senior)
    listed = client.get(f"/api/v1/benchmarks/cvlue/runs?release={release.pk}").json()
    assert {(row["suite"], row["set"]["origin"], row["release"]["label"]) for row in listed} == {
        ("vqa", "release", release.label),
        ("cvqa", "release", release.label),
    }
    for row in shown.values():
        assert client.get(f"/api/v1/sets/{row['id']}").status_code == 200


def test_a_sample_of_accepted_work_shows_the_current_picture(here):
    for image in Image.objects.all():
        reduced(image)
    services.sweep_predictions()
    run = rolling("vqa")
    services.embed_accepted(run.pk)
    for job_id in scoring.sweep_scores():
        score_set_run(job_id=job_id)
    client = signed_in(here.admin)
    shown = client.get(f"/api/v1/runs/{run.pk}/samples/1")
    assert shown.status_code == 200
    view = Rendition.objects.get(image__number=1, role="view")
    assert shown.json()["picture"] == {
        "name": "img-0001",
        "url": f"/media/{view.image_id}/{view.pk}-view.webp",
        "width": 24,
        "height": 24,
    }
    assert client.get(shown.json()["picture"]["url"]).status_code == 200


def test_a_run_over_accepted_work_is_scored_once_nothing_is_left_and_not_again_for_a_while(here, monkeypatch):
    services.sweep_predictions()
    assert scoring.sweep_scores() == []
    run = rolling("vqa")
    services.embed_accepted(run.pk)
    (job_id,) = scoring.sweep_scores()
    score_set_run(job_id=job_id)
    (row,) = scores.set_scores(here.admin, run.set.pk)
    assert (row["n_expected"], row["n_missing"], row["n_scored"]) == (18, 0, 18)
    reopen("vqa", 1)
    services.sweep_predictions()
    assert scoring.sweep_scores() == []  # scored a moment ago
    monkeypatch.setattr(scores.sets, "SCORED_EVERY", timedelta(0))
    (job_id,) = scoring.sweep_scores()
    score_set_run(job_id=job_id)
    (row,) = scores.set_scores(here.admin, run.set.pk)
    assert (row["n_expected"], row["n_missing"], row["n_scored"]) == (15, 0, 15)


def test_an_override_counts_in_every_profile_after_accepted_work_has_grown(here, monkeypatch):
    monkeypatch.setattr(scores.sets, "SCORED_EVERY", timedelta(0))
    services.sweep_predictions()
    run = work(rolling("vqa"))
    entry = entries("vqa").exclude(gold="两个").first()
    override_reply(
        actor=here.admin,
        run_id=run.pk,
        ordinal=entry.no,
        answer=entry.gold,
        reason="量词不同",
        client_key=uuid.uuid4(),
    )
    (job_id,) = scoring.sweep_scores()
    score_set_run(job_id=job_id)
    accept(here, picture(here, 7), 7, kind="vqa", content=CONTENTS["vqa"](7))
    services.sweep_predictions()
    work(run)
    (row,) = scores.set_scores(here.admin, run.set.pk)
    assert (row["n_scored"], row["overrides"]) == (21, 1)
    as_read, corrected = (
        {one["profile"]: one["value"] for one in row[figures]} for figures in ("metrics", "corrected")
    )
    assert list(corrected) == list(SUITES["vqa"].profiles)
    assert corrected == {profile: pytest.approx(value + 1 / 21) for profile, value in as_read.items()}


def test_a_board_has_runs_and_submissions_in_one_table(here, monkeypatch):
    release = freeze(here)
    run = work(Run.objects.get(set__release=release, suite="vqa"))
    own = release.kinds.select_related("release__protocol").get(kind="vqa")
    right = "".join(
        json.dumps({"id": row.fields["id"], "response": row.fields["gold"]}, ensure_ascii=False) + "\n"
        for row in gold_rows(own)
    )
    submission = scored(here.admin, release, right.encode(), profile="cvlue-vqa/official")
    submissions.list_submission(actor=here.admin, submission_id=submission.pk, client_key=uuid.uuid4())
    tables = {table["profile"]: table["rows"] for table in listed_submissions(here.admin, release, "vqa")}
    assert set(tables) == set(SUITES["vqa"].profiles)
    assert [(row["id"], row["run"], row["is_demo"]) for row in tables["cvlue-vqa/official"]] == [
        (submission.pk, None, False),
        (None, run.pk, True),
    ]
    assert tables["cvlue-vqa/official"][0]["figures"][0]["value"] == 1.0
    public = listed_submissions(None, release, "vqa")
    assert [row["is_open"] for row in public[0]["rows"]] == [False, False]
    query = {"kind": "vqa", "profile": "cvlue-vqa/official"}
    senior = signed_in(here.senior)
    path = f"/api/v1/releases/{release.pk}/profile-board"
    whole = senior.get(path, query).json()
    assert (whole["least_group"], whole["tags"], whole["groups"]) == (20, [], [])  # answers are withheld
    assert senior.get(path, {**query, "tag": "category"}).status_code == 404
    monkeypatch.setattr("evaluation.leaderboards.queries.profile_tables.least_group_of", lambda release: 3)
    board = senior.get(path, {**query, "tag": "category"}).json()
    assert [(row["key"], row["is_comparable"], row["has_samples"]) for row in board["rows"]] == [
        (f"submission-{submission.pk}", True, False),
        (f"run-{run.pk}", True, True),
    ]
    assert board["chance"] is None  # answers in words have no options
    assert {figure["value"] for figure in board["rows"][0]["groups"]} == {1.0}
    pair = {"one": f"submission-{submission.pk}", "other": f"run-{run.pk}"}
    compared = senior.get(f"/api/v1/releases/{release.pk}/profile-comparison", {**query, **pair}).json()
    right = EntryResult.objects.filter(report__run=run, outcome="right").count()
    n = board["rows"][0]["figure"]["n"]
    assert (compared["n"], compared["both"], compared["only_one"], compared["only_other"]) == (n, right, n - right, 0)
    assert compared["difference"] == (n - right) / n
    file = senior.get(f"/api/v1/releases/{release.pk}/leaderboard/leaderboard.csv", query)
    assert [line.split(",")[3] for line in file.content.decode("utf-8-sig").splitlines()[1:]] == [
        row["key"] for row in board["rows"]
    ]
    assert signed_in(here.annotator).get(path, query).status_code == 403
