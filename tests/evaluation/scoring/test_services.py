"""Frozen releases are scored when their predictions are there, once, with counts that say what is missing."""

import uuid

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from annotation.releases.models import Release
from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused
from curation.core.models import AuditEvent, Job
from curation.core.privileges import grant_application_role
from evaluation.runs import services as run_services
from evaluation.runs.models import Run
from evaluation.scoring import queries, services
from evaluation.scoring.models import EntryResult, SetReport
from tests.evaluation.accepted import (
    accept,
    accepted_item,
    add_system,
    benchmark,
    draft_release,
    figure,
    figures,
    frozen_release,
    reopen,
    revise,
    set_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_remembered_sizes():
    queries.releases._gallery.cache_clear()


@pytest.fixture
def team(by_number, tmp_path):
    made = benchmark("by-number")
    add_system(tmp_path, "by-number", "by-number")
    return made


def embed() -> list[str]:
    """Sweep, make the sets of releases, and work on their runs as a woken worker does; how each ended."""
    run_services.sweep_predictions()
    for release in Release.objects.filter(state__in=("frozen", "published")):
        set_of(release)
    woken = run_services.sweep_predictions()
    of_releases = Run.objects.filter(pk__in=woken, set__origin="release").values_list("pk", flat=True)
    return [run_services.embed_accepted(run_id) for run_id in of_releases]


def score() -> list[str]:
    return [jobs.run(j, services.score_set_run) for j in services.sweep_scores()]


def values() -> dict:
    return {(row.run.system.slug, line.scope, line.metric): line.value for row, line in figures()}


def test_a_release_is_scored_when_its_predictions_are_complete(team):
    release = frozen_release(team, [accepted_item(team, n) for n in range(1, 13)])
    run_services.sweep_predictions()
    assert services.sweep_scores() == []
    assert embed() == ["done"]
    (job_id,) = services.sweep_scores()
    job = Job.objects.get(pk=job_id)
    assert (job.queue, job.task) == ("default", "evaluation.score_set_run")
    assert jobs.run(job_id, services.score_set_run) == "done"
    assert values() == {("by-number", scope, f"R@{k}"): 1.0 for scope in ("t2i", "i2t") for k in (1, 5, 10)}
    report = SetReport.objects.get()
    assert (report.set.release, report.profile) == (release, "retrieval/ties-against")
    assert (report.report["n_expected"], report.report["n_scored"], report.report["n_missing"]) == (72, 72, 0)
    results = EntryResult.objects.filter(report=report)
    assert set(results.values_list("outcome", "value", "rank", "rule")) == {("right", 1.0, 0, "")}
    assert (results.filter(scope="t2i").count(), results.filter(scope="i2t").count()) == (60, 12)
    texts = figure("t2i", "R@1")
    assert (texts.n_expected, texts.n_scored, texts.n_missing, texts.n_failed) == (60, 60, 0, 0)
    assert texts.details == {
        "images": 12,
        "texts": 60,
        "seed": int(report.entries_digest[:8], 16),
        "resamples": 1000,
        "cluster": "image",
        "hits": 60,
        "interval": "wilson-over-clusters",
        "split": "test",
    }
    assert (round(texts.low, 4), texts.high) == (0.7575, 1.0)
    pictures = figure("i2t", "R@1")
    assert (pictures.n_expected, pictures.n_scored, pictures.details["interval"]) == (12, 12, "wilson")
    assert services.sweep_scores() == []


@pytest.mark.parametrize("pictures", [3, 12])
def test_a_constant_scorer_is_no_better_than_one_in_the_gallery(by_number, tmp_path, pictures):
    team = benchmark("constant")
    add_system(tmp_path, "constant", "constant")
    frozen_release(team, [accepted_item(team, n) for n in range(1, pictures + 1)])
    assert (embed(), score()) == (["done"], ["done"])
    found = values()
    assert found["constant", "t2i", "R@1"] <= 1 / pictures
    assert found["constant", "i2t", "R@1"] <= 1 / pictures
    expected = {("t2i", k): float(k >= pictures) for k in (1, 5, 10)}
    expected |= {("i2t", k): float(k >= 5 * (pictures - 1) + 1) for k in (1, 5, 10)}
    assert {(scope, int(metric[2:])): v for (_, scope, metric), v in found.items()} == expected


def test_only_the_test_split_is_the_gallery(team):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    frozen_release(team, items, split="train")
    embed()
    assert services.sweep_scores() == []


def test_a_reopened_item_is_scored_as_it_was_frozen(team):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    frozen_release(team, items)
    reopen(items[0])
    revise(items[0], team.annotator, content={"captions": [f"099 别的内容 {i}" for i in range(5)]})
    accept(items[0])
    assert (embed(), score()) == (["done"], ["done"])
    assert values()["by-number", "t2i", "R@1"] == 1.0
    assert {line.n_missing for _, line in figures()} == {0}


def test_asked_for_early_it_counts_what_is_missing_and_is_done_again_when_complete(team, settings):
    settings.EMBED_ITEMS_AT_ONCE = 2
    release = frozen_release(team, [accepted_item(team, n) for n in (1, 2, 3, 4)])
    set_of(release)
    run_services.sweep_predictions()
    run = Run.objects.get(set__release=release)
    run_services.embed_accepted(run.pk, stop=run.replies.exists)
    assert services.sweep_scores() == []
    services.request_scores(actor=team.admin, release_id=release.pk, client_key=uuid.uuid4())
    job = Job.objects.get(task=services.SCORE_SET)
    assert (job.actor_id, job.benchmark_id) == (team.admin.pk, team.benchmark.pk)
    assert jobs.run(job.pk, services.score_set_run) == "done"
    first = figure("t2i", "R@1")
    assert (first.value, first.n_expected, first.n_scored, first.n_missing) == (1.0, 20, 10, 10)
    assert (first.details["images"], first.details["texts"]) == (2, 10)
    assert (embed(), score()) == (["done"], ["done"])
    newest = figure("t2i", "R@1")
    assert (newest.n_expected, newest.n_scored, newest.n_missing) == (20, 20, 0)
    assert SetReport.objects.count() == 2


def test_failures_reach_the_scores(team, by_number):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    (settings.MEDIA_ROOT / items[0].image.renditions.get().key).unlink()
    frozen_release(team, items)
    assert (embed(), score()) == (["done"], ["done"])
    texts = figure("t2i", "R@1")
    assert (texts.n_expected, texts.n_scored, texts.n_missing, texts.n_failed) == (15, 10, 0, 5)
    assert EntryResult.objects.filter(scope="t2i", outcome="failed", rank=None).count() == 5
    assert services.sweep_scores() == []


def test_a_release_is_scored_again_once_what_failed_was_tried_again(team):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    file = settings.MEDIA_ROOT / items[0].image.renditions.get().key
    content = file.read_bytes()
    file.unlink()
    frozen_release(team, items)
    assert (embed(), score()) == (["done"], ["done"])
    run = Run.objects.get(set__origin="release")
    for kept, n_failed in ((b"", 5), (content, 0)):
        if kept:
            file.write_bytes(kept)
        run_services.retry_run(actor=team.admin, run_id=run.pk, client_key=uuid.uuid4())
        assert run_services.embed_accepted(run.pk) == "done"
        assert score() == ["done"]
        assert figure("t2i", "R@1").n_failed == n_failed
    assert services.sweep_scores() == []


def test_a_run_that_is_retried_while_it_is_scored_is_scored_again(team, monkeypatch):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    file = settings.MEDIA_ROOT / items[0].image.renditions.get().key
    content = file.read_bytes()
    file.unlink()
    frozen_release(team, items)
    assert embed() == ["done"]
    run = Run.objects.get(set__origin="release")
    answers = queries.answers

    def retry_after_reading(*arguments):
        read = list(answers(*arguments))
        monkeypatch.setattr(queries, "answers", answers)
        file.write_bytes(content)
        run_services.retry_run(actor=team.admin, run_id=run.pk, client_key=uuid.uuid4())
        assert run_services.embed_accepted(run.pk) == "done"
        return read

    monkeypatch.setattr(queries, "answers", retry_after_reading)
    assert score() == ["done"]
    assert (SetReport.objects.count(), EntryResult.objects.count()) == (0, 0)
    assert score() == ["done"]
    assert (figure("t2i", "R@1").n_failed, services.sweep_scores()) == (0, [])


def test_a_request_repeated_notes_one_job_and_one_event(team):
    release = frozen_release(team, [accepted_item(team, 1)])
    embed()
    key = uuid.uuid4()
    for _ in range(2):
        services.request_scores(actor=team.admin, release_id=release.pk, client_key=key)
    assert Job.objects.filter(task=services.SCORE_SET).count() == 1
    event = AuditEvent.objects.get(action="release_score")
    assert (event.target_id, event.data) == (release.pk, {"jobs": [Job.objects.get(task=services.SCORE_SET).pk]})
    other = frozen_release(team, [accepted_item(team, 2)], number=2)
    with pytest.raises(ClientKeyReused):
        services.request_scores(actor=team.admin, release_id=other.pk, client_key=key)


def test_a_draft_is_not_scored(team):
    release = draft_release(team)
    with pytest.raises(ActionNotAllowed):
        services.request_scores(actor=team.admin, release_id=release.pk, client_key=uuid.uuid4())
    assert (Job.objects.count(), AuditEvent.objects.filter(action="release_score").count()) == (0, 0)


@pytest.mark.parametrize(("state", "reports"), [("frozen", 1), ("published", 1), ("withdrawn", 0)])
def test_what_is_published_is_scored_and_what_is_withdrawn_is_not(team, state, reports):
    release = frozen_release(team, [accepted_item(team, 1)])
    embed()
    (noted,) = services.sweep_scores()
    Job.objects.filter(pk=noted).update(state="failed")
    told = {"published": {"published_at": timezone.now()}, "frozen": {}}
    told["withdrawn"] = {"withdrawn_at": timezone.now(), "withdrawn_reason": "x"}
    type(release).objects.filter(pk=release.pk).update(state=state, **told[state])
    score()
    assert SetReport.objects.count() == reports


def test_a_release_that_was_withdrawn_after_its_job_was_noted_gets_no_scores(team):
    release = frozen_release(team, [accepted_item(team, 1)])
    embed()
    (noted,) = services.sweep_scores()
    told = {"state": "withdrawn", "withdrawn_at": timezone.now(), "withdrawn_reason": "x"}
    type(release).objects.filter(pk=release.pk).update(**told)
    assert jobs.run(noted, services.score_set_run) == "failed"
    assert (Job.objects.get(pk=noted).error_code, SetReport.objects.count()) == ("action_not_allowed", 0)


def test_a_worker_that_lost_its_lease_stores_no_scores(team, monkeypatch):
    frozen_release(team, [accepted_item(team, 1)])
    embed()
    (job_id,) = services.sweep_scores()
    answers = queries.answers

    def slow(*given):
        Job.objects.filter(pk=job_id).update(attempt=2)  # somebody else took it over meanwhile
        return answers(*given)

    monkeypatch.setattr(queries, "answers", slow)
    assert jobs.run(job_id, services.score_set_run) == "lost"
    assert (SetReport.objects.count(), EntryResult.objects.count()) == (0, 0)


def test_scores_are_never_changed(team):
    frozen_release(team, [accepted_item(team, 1)])
    embed()
    score()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        SetReport.objects.update(report={})
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        EntryResult.objects.all().delete()
    assert Run.objects.get(set__origin="release").reports.count() == 1


def test_the_application_role_may_do_all_of_it(team):
    """Web and workers connect without UPDATE on predictions, scores and systems."""
    frozen_release(team, [accepted_item(team, n) for n in (1, 2)])
    with connection.cursor() as cursor:
        grant_application_role(cursor, "lantern_app")
        cursor.execute("set local role lantern_app")
        assert (embed(), score()) == (["done"], ["done"])
        services.request_scores(
            actor=team.admin, release_id=SetReport.objects.get().set.release_id, client_key=uuid.uuid4()
        )
        cursor.execute("reset role")
    assert SetReport.objects.count() == 1
