"""The board, its files, two systems compared, and the queries behind the numbers, over HTTP."""

import csv
import hashlib
import io
import sys
import uuid

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image as Picture

from curation.taxonomy.models import Category
from evaluation.runs.models import Run
from evaluation.scoring import queries, services
from evaluation.scoring.models import EntryResult, SetReport
from evaluation.systems.models import System
from tests.evaluation.accepted import (
    RETRIEVAL,
    accepted_item,
    answer_captions,
    benchmark,
    draft_release,
    figures,
    frozen_release,
    set_of,
    set_of_work,
)
from tests.people import signed_in
from tests.protocols import names
from tests.shared import shared

pytestmark = pytest.mark.django_db

X, Y, Z = (row.astype(np.float32) for row in np.eye(3))


@pytest.fixture(autouse=True)
def no_remembered_galleries():
    queries.releases._gallery.cache_clear()


@shared
def team():
    return benchmark("x")


@shared
def release(team):
    """Three pictures with five texts each: two of the closest group, one that overlaps with MS-COCO."""
    found = {
        slug: Category.objects.create(
            benchmark=team.benchmark,
            slug=slug,
            number=number,
            name=names(slug),
            field="f",
            field_name=names("f"),
            distance=distance,
        )
        for number, (slug, distance) in enumerate([("lantern", "closest"), ("cow", "coco")], 1)
    }
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    for item, slug in zip(items, ("lantern", "lantern", "cow"), strict=True):
        item.image.category = found[slug]
        item.image.save(update_fields=["category"])
    return frozen_release(team, items)


def a_run(team, slug, *, only=None, name="", state="open"):
    system, _ = System.objects.get_or_create(
        slug=slug,
        defaults={
            "name": name or slug,
            "description": names(slug),
            "backend": "x",
            "locator": "x",
            "revision": "1",
            "files_sha256": hashlib.sha256(slug.encode()).hexdigest(),
            "capabilities": ["embed"],
        },
    )
    return Run.objects.create(
        system=system,
        benchmark=team.benchmark,
        suite="retrieval",
        protocol=team.benchmark.protocol,
        set=set_of(only) if only else set_of_work(team),
        settings=RETRIEVAL,
        settings_sha256=uuid.uuid4().hex * 2,
        state=state,
    )


def answer(run, release, pictures, texts):
    """Vectors of the release's pictures, one each, and of their texts, one for all five or five."""
    for entry, picture, given in zip(release.entries.order_by("ordinal"), pictures, texts, strict=True):
        of = given if isinstance(given, list) else [given] * 5
        answer_captions(run, entry.item_id, picture, of)


class Here:
    """A lease on nothing, for a handler that is called by hand."""

    def __init__(self, **args):
        self.args = args

    def progress(self, done, total):
        pass


def scored(team, slug, release, pictures, texts, *, is_rolling=False, **kwargs):
    run = a_run(team, slug, only=release, **kwargs)
    answer(run, release, pictures, texts)
    services.score_set_run(Here(run_id=run.pk))
    if is_rolling:  # as runs over accepted work were scored on releases before these had sets
        Run.objects.filter(pk=run.pk).update(set=set_of_work(team))
    return run


@shared
def runs(team, release):
    """``right`` finds everything; ``half`` takes the first lantern's texts for the cow's, and the cow's for its."""
    right = scored(team, "right", release, [X, Y, Z], [X, Y, Z], is_rolling=True)
    half = scored(team, "half", release, [X, Y, Z], [[Z, X, X, X, X], Y, [X, Z, Z, Z, Z]], state="closed")
    return right, half


def get(who, release, what, **query):
    return signed_in(who).get(f"/api/v1/releases/{release.pk}/{what}", query)


def test_the_board(team, release, runs):
    right, half = runs
    body = get(team.senior, release, "leaderboard").json()
    digest = SetReport.objects.get(run=right).entries_digest
    assert body["gallery"] == {"split": "test", "images": 3, "texts": 15, "digest": digest}
    assert (body["suite"], body["profile"]) == ("retrieval", "retrieval/ties-against")
    assert (body["metrics"], body["scopes"]) == (["R@1", "R@5", "R@10"], ["t2i", "i2t"])
    assert [(g["group_by"], g["group"], g["n"]) for g in body["groups"]] == [
        ("distance", "coco", 1),
        ("distance", "closest", 2),
    ]
    assert body["groups"][1]["name"]["zh-Hans"] == "文化关联最密切"
    first, second = body["systems"]
    assert (first["system"]["slug"], first["run"], first["of"], first["status"]) == (
        "right",
        right.pk,
        "rolling",
        "scored",
    )
    assert (second["system"]["slug"], second["run"], second["of"]) == ("half", half.pk, "release")
    assert [(s["scope"], s["metric"], s["value"]) for s in second["scores"] if not s["group_by"]] == [
        ("t2i", "R@1", 13 / 15),
        ("t2i", "R@5", 1.0),
        ("t2i", "R@10", 1.0),
        ("i2t", "R@1", 1 / 3),  # a stranger's text is as near as their own: a tie is lost
        ("i2t", "R@5", 1.0),
        ("i2t", "R@10", 1.0),
    ]
    by_group = {(s["scope"], s["group"]): s["value"] for s in second["scores"] if s["group"] and s["metric"] == "R@1"}
    assert by_group == {("t2i", "coco"): 0.8, ("t2i", "closest"): 0.9, ("i2t", "coco"): 0.0, ("i2t", "closest"): 0.5}
    (gap,) = [g for g in second["gaps"] if (g["scope"], g["metric"]) == ("t2i", "R@1")]
    assert (round(gap["gap"], 12), gap["highest"], gap["lowest"]) == (0.1, "closest", "coco")
    assert (-1 <= gap["low"] <= 0.1 <= gap["high"] <= 1, gap["interval"]) == (
        True,
        "square-and-add/bootstrap-percentile",
    )
    (whole,) = [s for s in second["scores"] if (s["scope"], s["metric"], s["group"]) == ("t2i", "R@1", "")]
    assert (whole["n_expected"], whole["n_scored"], whole["n_missing"], whole["n_failed"]) == (15, 15, 0, 0)
    assert whole["interval"] == "bootstrap-percentile"
    assert 0 < whole["low"] <= whole["value"] <= whole["high"] <= 1
    assert [f["name"] for f in body["charts"]][:4] == [f"leaderboard.{e}" for e in ("csv", "tex", "svg", "png")]
    assert len(body["charts"]) == 12


def test_the_board_by_category_and_one_way_round(team, release, runs):
    body = get(team.senior, release, "leaderboard", group_by="category", scope="i2t").json()
    assert [(g["group"], g["n"], g["name"]["en"]) for g in body["groups"]] == [
        ("lantern", 2, "lantern"),
        ("cow", 1, "cow"),
    ]
    assert {(s["scope"], s["group_by"]) for s in body["systems"][0]["scores"]} == {("i2t", ""), ("i2t", "category")}


def test_as_many_statements_for_many_systems_as_for_one(team, release, runs):
    def count():
        with CaptureQueriesContext(
            connection,
        ) as found:
            assert client.get(f"/api/v1/releases/{release.pk}/leaderboard").status_code == 200
        return len(found)

    client = signed_in(team.senior)
    client.get(f"/api/v1/releases/{release.pk}/leaderboard")  # remembers the gallery, which never changes
    before = count()
    for n in range(4):
        scored(team, f"more-{n}", release, [X, Y, Z], [X, Y, Z])
    # Session, release, kinds, reports, runs, jobs, categories, submissions, the reader's crews.
    assert count() == before == 9


def test_the_newest_complete_scoring_counts_whichever_run_answered(team, release, runs):
    """A later one that lacks answers does not push it out; a later complete one does."""
    right, _ = runs
    again = a_run(team, "right", only=release)
    answer(again, release, [X, Y, Z], [X, Y, [Z]])  # four texts of the cow's missing
    services.score_set_run(Here(run_id=again.pk))
    body = get(team.senior, release, "leaderboard").json()
    assert (body["systems"][0]["system"]["slug"], body["systems"][0]["run"]) == ("right", right.pk)
    again = a_run(team, "right", only=release)
    answer(again, release, [X, Y, Z], [X, Y, Z])
    services.score_set_run(Here(run_id=again.pk))
    body = get(team.senior, release, "leaderboard").json()
    assert (body["systems"][0]["run"], body["systems"][0]["of"]) == (again.pk, "release")


def test_a_system_without_scores_waits_and_one_with_gaps_says_so(team, release):
    a_run(team, "waits", only=release)
    a_run(team, "rolling")  # its answers count on no release
    a_run(team, "ended", only=release, state="closed")
    a_run(team, "over", state="closed")  # no protocol requests it any longer
    partial = scored(team, "lacks", release, [X, Y, Z], [X, [Y], [Z, None, Z, Z, Z]])
    lacks, ended, waits = get(team.senior, release, "leaderboard").json()["systems"]
    assert (ended["system"]["slug"], ended["status"]) == ("ended", "waiting")
    assert (lacks["run"], lacks["status"]) == (partial.pk, "partial")
    told = lacks["scores"][0]
    assert (told["n_expected"], told["n_scored"], told["n_missing"], told["n_failed"]) == (15, 10, 4, 1)
    assert (waits["status"], waits["scoring"], waits["scores"], waits["gaps"]) == ("waiting", None, [], [])


def test_a_draft_has_an_empty_board(team):
    body = get(team.senior, draft_release(team), "leaderboard").json()
    assert (body["systems"], body["groups"], body["charts"], body["gallery"]["images"]) == ([], [], [], 0)


def test_nothing_is_told_of_a_withdrawn_release(team, release, runs):
    right, half = runs
    told = {"state": "withdrawn", "withdrawn_at": timezone.now(), "withdrawn_reason": "x"}
    type(release).objects.filter(pk=release.pk).update(**told)
    compared = {"one": right.pk, "other": half.pk, "scope": "t2i", "metric": "R@1"}
    for what, query in [
        ("scores", {}),
        ("leaderboard", {}),
        ("leaderboard/leaderboard.csv", {}),
        ("comparison", compared),
        ("samples", {"run": right.pk}),
        ("samples/t2i/0", {"run": right.pk}),
    ]:
        refused = get(team.senior, release, what, **query)
        assert (refused.status_code, refused.json()["code"]) == (404, "release_withdrawn"), what


def test_two_systems_on_what_both_were_ranked_on(team, release, runs):
    right, half = runs
    found = get(team.senior, release, "comparison", one=right.pk, other=half.pk, scope="t2i", metric="R@1").json()
    assert {k: found[k] for k in ("n", "images", "both", "only_one", "only_other", "neither")} == {
        "n": 15,
        "images": 3,
        "both": 13,
        "only_one": 2,
        "only_other": 0,
        "neither": 0,
    }
    assert found["difference"] == pytest.approx(2 / 15)
    assert found["p"] == pytest.approx(0.5)  # two pictures apart: one of two ways to turn their signs
    assert (found["method"], found["interval"]) == ("exact-sign-flip-over-clusters", "bootstrap-percentile")
    back = get(team.senior, release, "comparison", one=half.pk, other=right.pk, scope="t2i", metric="R@1").json()
    assert (back["difference"], back["low"], back["high"]) == (-found["difference"], -found["high"], -found["low"])
    assert (back["p"], back["only_other"]) == (found["p"], 2)


def test_what_cannot_be_compared_is_refused(team, release, runs):
    right, _ = runs
    asked = {"one": right.pk, "scope": "t2i", "metric": "R@1"}
    waits = a_run(team, "waits", only=release)
    refused = get(team.senior, release, "comparison", **asked, other=waits.pk)
    assert (refused.status_code, refused.json()["code"], refused.json()["params"]) == (
        409,
        "run_not_scored",
        {"run": waits.pk},
    )
    assert get(team.senior, release, "comparison", **asked, other=10**6).status_code == 404
    refused = get(team.senior, release, "comparison", **{**asked, "metric": "R@2"}, other=right.pk)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")


def test_samples_by_outcome_group_and_rank(team, release, runs):
    _, half = runs
    body = get(team.senior, release, "samples", run=half.pk).json()
    assert (body["total"], body["run"], body["next"]) == (15, half.pk, None)
    first = body["results"][0]
    entry = release.entries.order_by("ordinal").first()
    assert {k: first[k] for k in ("scope", "ordinal", "variant", "text", "rank", "category", "distance")} == {
        "scope": "t2i",
        "ordinal": 0,
        "variant": "caption-0",
        "text": "001 号图中的第 0 句话",
        "rank": 2,
        "category": "lantern",
        "distance": "closest",
    }
    assert (first["item"], first["image"]["label"]) == ({"id": entry.item_id, "label": "cap-000001"}, "img-0001")

    def ordinals(**query):
        return [r["ordinal"] for r in get(team.senior, release, "samples", run=half.pk, **query).json()["results"]]

    assert ordinals(outcome="miss") == [0, 10]
    assert ordinals(outcome="hit", at=5) == list(range(15))
    assert ordinals(outcome="miss", category="cow") == [10]
    assert ordinals(outcome="hit", distance="closest") == list(range(1, 10))
    assert ordinals(outcome="missing") == []
    assert ordinals(order="-rank")[:3] == [10, 0, 14]
    assert ordinals(scope="i2t", outcome="miss") == [0, 2]
    page = get(team.senior, release, "samples", run=half.pk, order="rank", page_size=10).json()
    rest = get(team.senior, release, "samples", run=half.pk, order="rank", page_size=10, cursor=page["next"]).json()
    seen = [r["ordinal"] for r in page["results"] + rest["results"]]
    assert (seen[-2:], sorted(seen)) == ([0, 10], list(range(15)))


def test_every_number_has_its_samples(team, release, runs):
    """As many queries are listed behind a cell as it counts, hits and all."""
    _, half = runs
    for _, score in figures(run=half):
        filters = {score.group_by: score.group} if score.group_by else {}
        at = score.metric.removeprefix("R@")
        told = [
            get(team.senior, release, "samples", run=half.pk, scope=score.scope, at=at, outcome=o, **filters).json()
            for o in ("hit", "miss", "missing")
        ]
        assert [t["total"] for t in told] == [score.details["hits"], score.n_scored - score.details["hits"], 0]


def test_one_sample_with_every_systems_answers(team, release, runs, django_assert_num_queries):
    right, half = runs
    client = signed_in(team.senior)
    with django_assert_num_queries(11):
        body = client.get(f"/api/v1/releases/{release.pk}/samples/t2i/0", {"run": half.pk, "outcome": "miss"}).json()
    asked = body["query"]
    assert (asked["text"], asked["image"]["label"], asked["image"]["width"]) == (
        "001 号图中的第 0 句话",
        "img-0001",
        24,
    )
    assert asked["texts"] == [f"001 号图中的第 {i} 句话" for i in range(5)]
    (gold,) = body["gold"]
    assert (gold["image"]["label"], gold["variant"], gold["text"]) == ("img-0001", "image", None)
    assert [(s["run"], s["rank"]) for s in body["systems"]] == [(half.pk, 2), (right.pk, 0)]
    near = body["systems"][0]["nearest"]
    assert [(n["image"]["label"], n["similarity"], n["is_gold"]) for n in near] == [
        ("img-0003", 1.0, False),
        ("img-0002", 0.0, False),
        ("img-0001", 0.0, True),
    ]
    assert (body["previous"], body["next"]) == (None, 10)
    other = client.get(f"/api/v1/releases/{release.pk}/samples/i2t/2", {"run": half.pk}).json()
    assert other["query"]["text"] is None
    assert [g["variant"] for g in other["gold"]] == [f"caption-{i}" for i in range(5)]
    assert [(n["text"], n["is_gold"]) for n in other["systems"][0]["nearest"][:2]] == [
        ("001 号图中的第 0 句话", False),
        ("003 号图中的第 1 句话", True),
    ]
    assert len(other["systems"][0]["nearest"]) == 10
    for nothing in ("t2i/15", "t2i/99999999999999999999", "x/0"):
        assert client.get(f"/api/v1/releases/{release.pk}/samples/{nothing}").status_code == 404


def test_what_was_not_answered_has_no_rank(team, release):
    run = scored(team, "lacks", release, [X, Y, None], [X, [None, Y, Y, Y], Z])
    rows = EntryResult.objects.filter(report__run=run, scope="t2i").order_by("no")
    assert [row.rank for row in rows] == [0] * 5 + [None, 0, 0, 0, None] + [None] * 5
    listed = get(team.senior, release, "samples", run=run.pk, outcome="missing").json()
    assert [r["ordinal"] for r in listed["results"]] == [5, 9, 10, 11, 12, 13, 14]
    body = get(team.senior, release, "samples/t2i/9", run=run.pk).json()
    assert (body["systems"][0]["rank"], body["systems"][0]["nearest"]) == (None, [])


@pytest.mark.parametrize("stem", ["leaderboard", "groups-distance", "groups-category"])
def test_tables_say_what_the_board_says_byte_for_byte_each_time(team, release, runs, stem):
    told = get(team.senior, release, f"leaderboard/{stem}.csv")
    assert told["Content-Type"] == "text/csv; charset=utf-8"
    assert told["Content-Disposition"] == f'attachment; filename="captions-v1-{stem}.csv"'
    rows = list(csv.DictReader(io.StringIO(told.content.decode("utf-8-sig"))))
    group_by = stem.removeprefix("groups-") if stem != "leaderboard" else ""
    stored = {
        (report.run.system.slug, line.scope, line.metric, line.group): line
        for report, line in figures()
        if line.group_by == group_by
    }
    assert len(rows) == len(stored) > 0
    for row in rows:
        score = stored[row["system"], row["scope"], row["metric"], row["group"]]
        assert (float(row["value"]), float(row["low"]), int(row["n_expected"])) == (
            score.value,
            score.low,
            score.n_expected,
        )
    tex = get(team.senior, release, f"leaderboard/{stem}.tex", lang="en").content.decode()
    assert ("\\begin{tabular}" in tex, "86.7" in tex) == (True, stem == "leaderboard")
    assert get(team.senior, release, f"leaderboard/{stem}.csv").content == told.content


def test_charts_are_pictures_of_the_same_scores(team, release, runs):
    answer = get(team.senior, release, "leaderboard/leaderboard.svg", lang="zh-Hans", theme="dark")
    drawn = answer.content.decode()
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert drawn.startswith("<svg")
    assert "由句子找图片" in drawn  # text stays text
    answer = get(team.senior, release, "leaderboard/groups-distance.png", lang="en")
    with Picture.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.width > 600) == ("PNG", True)
    assert "vl_convert" not in sys.modules  # a process of its own draws


@pytest.mark.parametrize("name", ["leaderboard.pdf", "groups-.csv", "groups-field.csv", "x", "..%2Fleaderboard.csv"])
def test_other_names_are_nothing(team, release, runs, name):
    assert get(team.senior, release, f"leaderboard/{name}").status_code == 404


@pytest.mark.parametrize(
    ("what", "query"),
    [
        ("leaderboard", {"group_by": "field"}),
        ("leaderboard", {"x": "1"}),
        ("leaderboard/leaderboard.svg", {"theme": "pink"}),
        ("leaderboard/leaderboard.svg", {"lang": "de"}),
        ("samples", {"at": "3"}),
        ("samples", {"order": "text"}),
        ("samples", {"cursor": "x"}),
        ("comparison", {"one": 1}),
    ],
)
def test_a_malformed_request_is_refused(team, release, runs, what, query):
    refused = get(team.senior, release, what, **query)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
