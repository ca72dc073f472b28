"""Scores of retrieval become reports with every figure and every query, also of runs that counted on older releases."""

import pytest
from django.db import connection

from curation.core.models import Job
from evaluation.leaderboards.queries import board
from evaluation.runs.models import Run
from evaluation.scoring.models import EntryResult, ReportUnits, SetReport
from evaluation.scoring.rules import (
    PROFILE,
    Answer,
    Entry,
    Gallery,
    Line,
    bootstrap_seed,
    gallery_digest,
    lines_of,
    score,
    text_variant,
)
from evaluation.sets.models import ItemSet
from evaluation.sets.queries import release_captions
from evaluation.sets.services.captions import caption_entries
from evaluation.suites.rules import SUITES
from tests.config.test_retrieval_over_sets import FROZEN, NOW, filled, migrate, rows, vector

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

OLDER = (5, 3, 1)  # the order of a release on which only a run over accepted work was scored


def older_release(old):
    release = old.make(
        "annotation.Release", benchmark=old.benchmark, number=2, kind="captions", seed=7, protocol=old.protocol,
        digest="e" * 64,
    )  # fmt: skip
    for ordinal, n in enumerate(OLDER):
        old.make("annotation.ReleaseImage", release=release, image=old.items[n].image, split="test")
        old.make(
            "annotation.ReleaseEntry", release=release, item=old.items[n], image=old.items[n].image, kind="captions",
            rendition=old.files[n], revision_no=1, split="test", ordinal=ordinal,
        )  # fmt: skip
    release.state, release.event_id, release.frozen_at = "frozen", 1, NOW
    release.save()
    return release


def scored(old, run, release, order, *, missing=(), failed=()):
    """A scoring as the version before wrote it: its lines, and its queries with item, variant, rank and nearest."""
    entries = [
        Entry(
            old.items[n].pk, 1, old.items[n].image_id, old.files[n].sha256, tuple(map(text_variant, range(3))),
            *(("lantern", "closest") if n < 3 else ()),
        )
        for n in order
    ]  # fmt: skip
    gallery = Gallery(entries)
    variants = ["image", *map(text_variant, range(3))]
    every = [(n, variant) for n in order for variant in variants if (n, variant) not in missing]
    gallery.fill(
        Answer(old.items[n].pk, variant, None if (n, variant) in failed else vector(run.pk, n, variant))
        for n, variant in every
    )
    digest = gallery_digest(entries, "test")
    lines, ranks = score(gallery, ks=(1, 5, 10), seed=bootstrap_seed(digest))
    lines = [line._replace(details={**line.details, "split": "test"}) for line in lines]
    of = {"run": run, "release": release, "profile": PROFILE, "gallery_digest": digest}
    scoring = old.make("evaluation.Scoring", **of)
    for line in lines:
        old.make("evaluation.Score", scoring=scoring, **of, **line._asdict())
    queries = []
    for one in ranks:
        item = next(item for item in old.items.values() if item.pk == one.item_id)
        facts = {"scope": one.scope, "ordinal": one.ordinal, "variant": one.variant, "rank": one.rank}
        old.make(
            "evaluation.QueryRank", scoring=scoring, item=item, image=item.image, nearest=one.nearest, category="",
            distance="", **facts,
        )  # fmt: skip
        outcome = ("right" if one.rank == 0 else "wrong") if one.rank is not None else one.outcome
        queries.append((one.scope, one.ordinal, item.pk, one.variant, one.rank, one.nearest, outcome))
    return digest, lines, queries


def stored_queries(report):
    return [
        (
            row.scope,
            row.no,
            row.entry.item_id,
            "image" if row.scope == "i2t" else text_variant(row.entry.part),
            row.rank,
            row.extracted or [],
            row.outcome,
        )
        for row in EntryResult.objects.filter(report=report).select_related("entry").order_by("-scope", "no")
    ]


def by_name(lines):
    return sorted(lines, key=lambda line: line[:4])


def test_scores_and_queries_are_kept_to_the_last_digit(other_database):
    old = filled(other_database)
    older = older_release(old)
    rolling = old.run()
    closed = old.run(state="closed", release=old.release, ended=NOW)
    first = Line("t2i", "", "", "R@1", 1 / 3, 0.1, 0.7, 3, 3, 0, 0, {})  # from before there were scorings
    of = {"run": rolling, "release": older, "profile": PROFILE, "gallery_digest": "g" * 64}
    old.make("evaluation.Score", **of, **first._asdict())
    before = [
        ("g" * 64, [first], []),
        scored(old, rolling, older, OLDER, failed={(3, "image")}),
        scored(old, closed, old.release, FROZEN, missing={(1, "image"), (5, "caption-2")}),
        scored(old, closed, old.release, FROZEN),
    ]
    for release in (old.release, older):
        old.make(
            "curation.Job", task="evaluation.score_release", dedupe_key=f"score:{release.pk}", state="queued",
            args={"release_id": release.pk, "run_id": closed.pk},
        )  # fmt: skip
    migrate()
    reports = list(SetReport.objects.order_by("pk").select_related("set"))
    assert [(row.run_id, row.set.release_id, row.profile) for row in reports] == [
        (rolling.pk, older.pk, PROFILE),
        (rolling.pk, older.pk, PROFILE),
        (closed.pk, old.release.pk, PROFILE),
        (closed.pk, old.release.pk, PROFILE),
    ]
    for row, (digest, lines, queries) in zip(reports, before, strict=True):
        assert row.entries_digest == digest
        assert by_name(lines_of(row.report)) == by_name(lines)
        assert stored_queries(row) == queries
    assert [(row.report["n_expected"], row.report["n_missing"], row.report["n_failed"]) for row in reports] == [
        (3, 0, 0),
        (12, 0, 4),
        (16, 5, 0),
        (16, 0, 0),
    ]
    assert list(ReportUnits.objects.values_list("rights", flat=True)) == [{}] * 4
    # The release that had no set got the one that its job would make.
    item_set = ItemSet.objects.get(release=older.pk)
    suite = SUITES["retrieval"]
    made = caption_entries(suite, release_captions(item_set.release, suite))
    fields = ("key", "line", "item_id", "revision_no", "part", "image_id", "texts", "gold", "row", "tags")
    assert list(item_set.entries.order_by("no").values_list(*fields)) == [
        tuple(getattr(one, field) for field in fields) for one in made
    ]
    assert (item_set.state, item_set.size, Run.objects.get(pk=rolling.pk).set.origin) == ("ready", 9, "rolling")
    # Boards have the newest complete figures.
    for release, (_, lines, _) in ((older, before[1]), (old.release, before[3])):
        content = board(type(item_set.release).objects.get(pk=release.pk), "captions", group_bys=("", "distance"))
        (system,) = content["systems"]
        displayed = {(s["scope"], s["group_by"], s["group"], s["metric"]): s["value"] for s in system["scores"]}
        assert displayed == {line[:4]: line.value for line in lines if line.group_by != "category"}
    # What waited to be scored is scored, but not a run on a release that it does not count on.
    assert list(Job.objects.order_by("pk").values_list("task", "state", "args", "dedupe_key")) == [
        ("evaluation.score_set_run", "queued", {"run_id": closed.pk}, f"score-set:{closed.pk}"),
        (
            "evaluation.score_release",
            "done",
            {"release_id": older.pk, "run_id": closed.pk},
            f"score:{older.pk}",
        ),
    ]


def test_a_difference_stops_the_update(other_database):
    old = filled(other_database)
    closed = old.run(state="closed", release=old.release, ended=NOW)
    scored(old, closed, old.release, FROZEN)
    with connection.cursor() as cursor:
        cursor.execute("alter table evaluation_queryrank disable trigger user")
        cursor.execute("update evaluation_queryrank set item_id = %s where ordinal = 0", [old.items[4].pk])
        cursor.execute("alter table evaluation_queryrank enable trigger user")
    with pytest.raises(RuntimeError, match=rf"run {closed.pk} .* had 16 queries, of which 14 were copied without a"):
        migrate()
    assert rows("select count(*) from evaluation_queryrank") == [(16,)]
    assert rows("select count(*) from evaluation_setreport") == [(0,)]
