"""The scores of a release as its page shows them."""

import pytest

from annotation.releases.models import Release
from curation.core import jobs
from evaluation.profiles.reports import report_text
from evaluation.runs import services as run_services
from evaluation.runs.models import Run
from evaluation.scoring import queries, services
from evaluation.scoring.models import SetReport
from tests.evaluation.accepted import (
    accepted_item,
    add_system,
    benchmark,
    draft_release,
    figure,
    frozen_release,
    set_of,
)
from tests.people import key, signed_in
from tests.protocols import names

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_remembered_sizes():
    queries.releases._gallery.cache_clear()


@pytest.fixture
def team(by_number, tmp_path):
    made = benchmark("by-number", "constant")
    for slug in ("by-number", "constant"):
        add_system(tmp_path, slug, slug)
    return made


@pytest.fixture
def release(team):
    return frozen_release(team, [accepted_item(team, n) for n in (1, 2, 3)])


def address(release, what="scores") -> str:
    return f"/api/v1/releases/{release.pk}/{what}"


def runs_over(release):
    """The runs over a release, opened by the sweep."""
    set_of(release)
    run_services.sweep_predictions()
    return Run.objects.filter(set__release=release)


def embed_and_score():
    for run in runs_over(Release.objects.get()):
        run_services.embed_accepted(run.pk)
    for job_id in services.sweep_scores():
        jobs.run(job_id, services.score_set_run)


def test_before_predictions_every_system_waits(team, release):
    assert runs_over(release).count() == 2
    body = signed_in(team.senior).get(address(release)).json()
    assert body["gallery"] == {"images": 3, "texts": 15, "split": "test"}
    assert [(s["system"]["slug"], s["state"], s["metrics"]) for s in body["systems"]] == [
        ("constant", "waiting", []),
        ("by-number", "waiting", []),
    ]
    (_, waiting) = body["systems"]
    assert (waiting["n_expected"], waiting["n_scored"], waiting["n_missing"], waiting["n_failed"]) == (18, 0, 18, 0)


def test_scores_of_all_systems_side_by_side(team, release, django_assert_num_queries):
    embed_and_score()
    client = signed_in(team.curator)
    client.get(address(release))  # remembers the gallery's size, which never changes
    with django_assert_num_queries(7):  # session, release, its kinds, scores, runs, jobs, vectors
        body = client.get(address(release)).json()
    constant, by_number = body["systems"]
    run = Run.objects.get(system__slug="by-number", set__release=release)
    assert by_number["system"] == {
        "slug": "by-number",
        "name": "by-number",
        "revision": run.system.revision,
        "description": names("by-number"),
        "is_demo": False,
    }
    assert (by_number["run"], by_number["state"], by_number["error"]) == (run.pk, "scored", None)
    assert (by_number["n_expected"], by_number["n_scored"], by_number["n_missing"]) == (18, 18, 0)
    assert [(m["scope"], m["metric"], m["value"]) for m in by_number["metrics"]] == [
        (scope, f"R@{k}", 1.0) for scope in ("t2i", "i2t") for k in (1, 5, 10)
    ]
    assert [m["value"] for m in constant["metrics"]] == [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    first, stored = by_number["metrics"][0], figure("t2i", "R@1", run=run)
    assert first.pop("computed_at")
    assert first == {
        "profile": "retrieval/ties-against",
        "scope": "t2i",
        "metric": "R@1",
        "value": 1.0,
        "low": stored.low,
        "high": 1.0,
        "n_expected": 15,
        "n_scored": 15,
        "n_missing": 0,
        "n_failed": 0,
        "gallery_digest": SetReport.objects.get(run=run).entries_digest,
        "details": stored.details,
    }


def test_a_run_has_a_report_as_a_file(team, release):
    embed_and_score()
    stored = SetReport.objects.latest("pk")
    answer = signed_in(team.senior).get(f"/api/v1/runs/{stored.run_id}/report")
    assert answer["Content-Disposition"] == f'attachment; filename="run-{stored.run_id}-retrieval-ties-against.json"'
    assert (answer.status_code, answer.content.decode()) == (200, report_text(stored.report))
    figure = answer.json()["metrics"]["t2i R@1"]
    assert {name: figure[name] for name in ("n", "n_expected", "n_missing", "n_failed", "interval")} == {
        "n": 15,
        "n_expected": 15,
        "n_missing": 0,
        "n_failed": 0,
        "interval": "wilson-over-clusters" if figure["value"] in (0.0, 1.0) else "bootstrap-percentile",
    }
    names = [name for name in answer.json() if name.startswith("n_")]
    assert {name: answer.json()[name] for name in names} == {
        "n_expected": 18,
        "n_scored": 18,
        "n_missing": 0,
        "n_unparsable": 0,
        "n_refused": 0,
        "n_failed": 0,
        "n_unknown_ids": 0,
        "n_duplicate": 0,
        "n_gold_rows": 18,
    }


def test_an_admin_has_it_scored_anew_and_the_newest_counts(team, release):
    embed_and_score()
    answer = signed_in(team.admin).post(
        address(release, "score"), {"client_key": key()}, content_type="application/json"
    )
    assert answer.status_code == 202
    assert [s["state"] for s in answer.json()["systems"]] == ["scoring", "scoring"]
    for job in jobs.Job.objects.filter(state="queued", task=services.SCORE_SET):
        jobs.run(job.pk, services.score_set_run)
    assert SetReport.objects.count() == 4
    body = signed_in(team.admin).get(address(release)).json()
    assert [(s["state"], len(s["metrics"])) for s in body["systems"]] == [("scored", 6), ("scored", 6)]


def test_a_draft_has_no_gallery(team):
    draft = draft_release(team)
    body = signed_in(team.senior).get(address(draft)).json()
    assert body == {"suite": "retrieval", "gallery": {"images": 0, "texts": 0, "split": "test"}, "systems": []}
    answer = signed_in(team.admin).post(address(draft, "score"), {"client_key": key()}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "action_not_allowed")


@pytest.mark.parametrize(
    ("who", "what", "status"),
    [
        ("annotator", "scores", 403),
        ("contributor", "scores", 403),
        ("senior", "score", 403),
        ("curator", "score", 403),
        ("annotator", "score", 403),
    ],
)
def test_others_are_refused(team, release, who, what, status):
    client = signed_in(getattr(team, who))
    answer = (
        client.get(address(release))
        if what == "scores"
        else client.post(address(release, what), {"client_key": key()}, content_type="application/json")
    )
    assert (answer.status_code, answer.json()["code"]) == (status, "operation_not_allowed")
    assert jobs.Job.objects.filter(task=services.SCORE_SET).count() == 0


def test_people_of_another_benchmark_learn_nothing(team, release):
    elsewhere = benchmark(slug="elsewhere", prefix="e-")
    assert signed_in(elsewhere.senior).get(address(release)).status_code == 404
    answer = signed_in(elsewhere.admin).post(
        address(release, "score"), {"client_key": key()}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("body", [{}, {"client_key": "x"}, {"client_key": key(), "split": "train"}])
def test_a_malformed_request_is_refused(team, release, body):
    answer = signed_in(team.admin).post(address(release, "score"), body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
