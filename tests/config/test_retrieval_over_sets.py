"""Runs of retrieval that were over releases and accepted work come over to item sets with every vector and failure."""

import hashlib
import uuid
from datetime import UTC, datetime

import numpy as np
import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from evaluation.runs import queries as runs_queries
from evaluation.runs.models import Run
from evaluation.runs.rules import Chosen, to_bytes
from evaluation.runs.services import sweep_predictions
from evaluation.runs.services.settings import Completer
from evaluation.scoring import queries
from evaluation.scoring.models import SetReport
from evaluation.scoring.rules import (
    Answer,
    Entry,
    Gallery,
    bootstrap_seed,
    gallery_digest,
    lines_of,
    score,
    text_variant,
)
from evaluation.scoring.services import score_set_run
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.models import ItemSet
from evaluation.sets.queries import release_captions
from evaluation.sets.rules import digest_of
from evaluation.sets.services.captions import caption_entries
from evaluation.suites.rules import SUITES, settings_digest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.system]

BEFORE = [
    ("curation", "0030_board_decisions"),
    ("annotation", "0032_verdicts_name_versions"),
    ("evaluation", "0018_what_replies_cost"),
]
OURS = ("curation", "annotation", "evaluation")
NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NAMES = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "lantern"}
PREPROCESSING = {"picture": "clean rendition, RGB", "text": "as accepted, NFC"}
ITEMS = (1, 2, 3, 4, 5)
FROZEN = (2, 1, 3, 5)  # the release's test split in its order; 4 is in another split


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def captions(number):
    return [f"{number} 号花灯{'长' * (6 - number)}{i}" for i in range(3)]


def vector(*of):
    drawn = np.random.default_rng(sum(map(ord, repr(of)))).normal(size=4)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class Old:
    """Rows of retrieval as the version before wrote them."""

    def __init__(self, apps):
        self.apps = apps
        self.person, self.curator = (
            self.make("curation.Person", username=name, name=name, password="!") for name in ("admin", "curator")
        )
        self.benchmark = self.make("curation.Benchmark", slug="cvlue", title=NAMES)
        content = {"kinds": {"captions": {}}, "evaluation": {"systems": ["tiny"], "suites": ["retrieval"]}}
        self.protocol = self.make(
            "curation.ProtocolVersion", benchmark=self.benchmark, version=1, name="cvlue", source_sha256=sha("p"),
            content=content | {"roles": []},
        )  # fmt: skip
        self.benchmark.protocol = self.protocol
        self.benchmark.save()
        category = self.make(
            "curation.Category", benchmark=self.benchmark, slug="lantern", number=1, name=NAMES, field="f",
            field_name=NAMES, distance="closest",
        )  # fmt: skip
        self.items, self.files = {}, {}
        for n in ITEMS:
            image = self.make(
                "curation.Image", benchmark=self.benchmark, number=n, sha256=sha(f"image {n}"), phash=n, width=64,
                height=48, source={"kind": "own"}, licence="CC0-1.0", client_key=uuid.uuid4(), contributor=self.person,
                category=category if n < 3 else None, state="accepted", pii_clear_by=self.curator,
            )  # fmt: skip
            self.files[n] = self.make(
                "curation.Rendition", image=image, role="clean", sha256=sha(f"file {n}"), bytes=10, width=64, height=48,
                key=f"{n}.webp",
            )  # fmt: skip
            accepted = {"state": "accepted", "accepted_no": 1} if n != 5 else {"state": "made"}
            self.items[n] = self.make(
                "annotation.Item", benchmark=self.benchmark, kind="captions", number=n, image=image, revision_no=1,
                **accepted,
            )  # fmt: skip
            self.make(
                "annotation.ItemRevision", item=self.items[n], no=1, origin="annotator", author=self.person,
                content={"captions": captions(n)}, client_key=uuid.uuid4(), protocol=self.protocol,
            )  # fmt: skip
        self.release = self.make(
            "annotation.Release", benchmark=self.benchmark, number=1, kind="captions", seed=7, protocol=self.protocol,
            digest="d" * 64,
        )  # fmt: skip
        for ordinal, n in enumerate((4, *FROZEN)):
            split = "train" if n == 4 else "test"
            self.make("annotation.ReleaseImage", release=self.release, image=self.items[n].image, split=split)
            self.make(
                "annotation.ReleaseEntry", release=self.release, item=self.items[n], image=self.items[n].image,
                kind="captions", rendition=self.files[n], revision_no=1, split=split, ordinal=ordinal,
            )  # fmt: skip
        self.release.state, self.release.event_id, self.release.frozen_at = "frozen", 1, NOW
        self.release.save()
        self.earlier, self.system = (
            self.make(
                "evaluation.System", slug="tiny", name="Tiny", description=NAMES, backend="x", locator="x",
                revision=revision, files_sha256=sha(revision), capabilities=["embed"],
            )
            for revision in "12"
        )  # fmt: skip

    def make(self, model, **values):
        return self.apps.get_model(model).objects.create(**values)

    def run(self, *, state="open", release=None, system=None, ended=None, retried=0):
        settings = {"suite": "retrieval", "kind": "captions", "preprocessing": PREPROCESSING}
        return self.make(
            "evaluation.Run", system=system or self.system, benchmark=self.benchmark, suite="retrieval",
            protocol=self.protocol, release=release, settings=settings, settings_sha256=settings_digest(settings),
            state=state, ended_at=ended, round=retried, environment={"workers": [{"preparation": "p" * 64}]},
            started_by=self.person if release else None,
        )  # fmt: skip

    def predict(self, run, n, variants=None, *, kept=True):
        """Vectors of an item's picture and captions; ``kept``: for later runs as well."""
        for variant in ["image", *map(text_variant, range(3))] if variants is None else variants:
            is_image = variant == "image"
            digest = self.files[n].sha256 if is_image else sha(captions(n)[int(variant[-1])])
            stored = to_bytes(vector(run.pk if not kept else 0, n, variant))
            if kept:
                self.apps.get_model("evaluation.Feature").objects.get_or_create(
                    system=run.system, input_sha256=digest, preparation="p" * 64, defaults={"vector": stored}
                )
            self.make(
                "evaluation.Prediction", run=run, item=self.items[n], revision_no=1, variant=variant, vector=stored,
                value={"rendition": self.files[n].pk} if is_image else None,
            )  # fmt: skip

    def fail(self, run, n, variant, *, message=""):
        self.make(
            "evaluation.Failure", run=run, item=self.items[n], revision_no=1, variant=variant, round=0,
            code="system_refused_input" if message else "picture_missing", message=message,
        )  # fmt: skip

    def chunk(self, run, no, numbers, state="done", retried=0):
        pairs = [[self.items[n].pk, 1] for n in numbers]
        self.make(
            "evaluation.Chunk", run=run, no=no, round=retried, entries=pairs, size=len(pairs), state=state,
            finished_at=NOW if state == "done" else None,
        )  # fmt: skip


def filled(other_database):
    other_database(True)
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    return Old(executor.loader.project_state(BEFORE).apps)


def migrate():
    executor = MigrationExecutor(connection)
    executor.migrate([leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] in OURS])


def rows(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


class Here:
    """A lease on nothing, for a handler that is called by hand."""

    def __init__(self, **args):
        self.args = args

    def progress(self, done, total):
        pass


def replies(run):
    """The captions that a run answered, with the vectors that its answers name."""
    return {
        (number, part): (bytes(text), bytes(picture))
        for number, part, text, picture in rows(
            "select i.number, e.part, t.vector, p.vector from evaluation_reply a"
            " join evaluation_run r on r.id = a.run_id"
            " join evaluation_entry e on e.id = a.entry_id join annotation_item i on i.id = e.item_id"
            " join evaluation_feature t on t.system_id = r.system_id and t.input_sha256 = a.value #>> '{text,0}'"
            " and t.preparation = a.value #>> '{text,1}'"
            " join evaluation_feature p on p.system_id = r.system_id and p.input_sha256 = a.value #>> '{picture,0}'"
            " and p.preparation = a.value #>> '{picture,1}' where a.run_id = %s",
            run.pk,
        )
    }


def test_runs_keep_their_answers_work_and_figures(other_database):
    old = filled(other_database)
    rolling = old.run()
    for n in (1, 2, 5):
        old.predict(rolling, n)
    old.predict(rolling, 3, ["caption-0", "caption-1", "caption-2"])
    old.fail(rolling, 3, "image")
    old.chunk(rolling, 1, (1, 2, 3, 5))
    old.chunk(rolling, 2, (4,), "queued")
    closed = old.run(state="closed", release=old.release, ended=NOW, retried=1)
    for n in (1, 4, 5):
        old.predict(closed, n, kept=n == 1)
    old.predict(closed, 2, kept=False)
    old.fail(closed, 2, "caption-1", message="ValueError")  # answered in the next round
    old.predict(closed, 3, ["image", "caption-0", "caption-1"], kept=False)
    old.fail(closed, 3, "caption-2", message="ValueError: too long")
    old.chunk(closed, 1, ITEMS)
    old.chunk(closed, 2, (2,), retried=1)
    cancelled = old.run(state="cancelled", release=old.release, ended=NOW)
    erased = old.run(state="closed", system=old.earlier)  # something was covered in the picture since
    old.predict(erased, 1, ["caption-0", "caption-1", "caption-2"])
    paused = old.run(state="paused", release=old.release, system=old.earlier)
    old.predict(paused, 1, kept=False)
    old.chunk(paused, 1, (1,))
    for scored in (rolling, closed):
        scoring = old.make(
            "evaluation.Scoring", run=scored, release=old.release, profile="retrieval/ties-against",
            gallery_digest="g" * 64,
        )  # fmt: skip
        old.make(
            "evaluation.Score", run=scored, release=old.release, scoring=scoring, profile="retrieval/ties-against",
            scope="t2i", metric="R@1", value=0.5, n_expected=12, n_scored=12, n_missing=0, gallery_digest="g" * 64,
        )  # fmt: skip
    # The figures of the run over the release, by the vectors that it had.
    gallery_entries = [
        Entry(
            old.items[n].pk, 1, old.items[n].image_id, old.files[n].sha256, tuple(map(text_variant, range(3))),
            *(("lantern", "closest") if n < 3 else ()),
        )
        for n in FROZEN
    ]  # fmt: skip
    gallery = Gallery(gallery_entries)
    vectors = old.apps.get_model("evaluation.Prediction").objects.filter(run=closed)
    gallery.fill(
        Answer(item, variant, np.frombuffer(bytes(stored), dtype="<f4"))
        for item, variant, stored in vectors.values_list("item_id", "variant", "vector")
    )
    gallery.fill([Answer(old.items[3].pk, "caption-2", None)])
    digest = gallery_digest(gallery_entries, "test")
    lines, _ = score(gallery, ks=(1, 5, 10), seed=bootstrap_seed(digest))

    migrate()

    runs = {row.pk: row for row in Run.objects.select_related("set")}
    counted = {pk: (r.set.origin, r.state, r.expected, r.answered, r.failed) for pk, r in runs.items()}
    assert counted == {
        rolling.pk: ("rolling", "open", 15, 9, 3),
        closed.pk: ("release", "closed", 12, 11, 1),
        cancelled.pk: ("release", "cancelled", 0, 0, 0),
        erased.pk: ("rolling", "closed", 3, 0, 3),
        paused.pk: ("release", "paused", 12, 3, 0),
    }
    assert {run.cut_to == run.set.size for run in runs.values()} == {True}
    assert ItemSet.objects.count() == 2
    # Every vector is there, whether later runs use it or not.
    for run in (rolling, closed, paused):
        for (number, part), found in replies(run).items():
            kept = run is rolling or (run is closed and number == 1)
            of = [vector(0 if kept else run.pk, number, variant) for variant in (text_variant(part), "image")]
            assert found == tuple(map(to_bytes, of))
    assert sorted(replies(rolling)) == [(n, part) for n in (1, 2, 5) for part in range(3)]
    failed = "select i.number, e.part, f.round, f.input, f.code, f.message from evaluation_replyfailure f"
    failed += " join evaluation_entry e on e.id = f.entry_id join annotation_item i on i.id = e.item_id"
    failed += " where f.run_id = %s order by 1, 2"
    assert rows(failed, closed.pk) == [
        (2, 1, 0, "text", "system_refused_input", "ValueError"),
        (3, 2, 0, "text", "system_refused_input", "ValueError: too long"),
    ]
    assert rows(failed, rolling.pk) == [(3, part, 0, "picture", "picture_missing", "") for part in range(3)]
    assert {row[3:5] for row in rows(failed, erased.pk)} == {("picture", "picture_altered")}
    # What was not answered is in chunks; what is no longer accepted has ended.
    chunks = {
        run.pk: [
            (
                chunk.state,
                sorted(
                    {
                        *StoredEntry.objects.filter(set=run.set, no__in=chunk.entries).values_list(
                            "item__number", flat=True
                        )
                    }
                ),
            )
            for chunk in run.chunks.order_by("no")
        ]
        for run in runs.values()
    }
    assert chunks == {
        rolling.pk: [("done", [1, 2, 3, 5]), ("queued", [4])],
        closed.pk: [("done", [1, 2, 3, 5]), ("done", [2])],
        cancelled.pk: [],
        erased.pk: [],
        paused.pk: [("done", [1]), ("queued", [2, 3, 5])],
    }
    ended = StoredEntry.objects.filter(set=runs[rolling.pk].set, ended_at__isnull=False)
    assert set(ended.values_list("item__number", flat=True)) == {5}
    # The figures that there were are reports on the release's set, whose run over accepted work keeps its own.
    assert [
        (row.run_id, row.set, [line.value for line in lines_of(row.report)]) for row in SetReport.objects.all()
    ] == [(run.pk, runs[closed.pk].set, [0.5]) for run in (rolling, closed)]

    # The set of the release is the one that its job would make, and the runs' settings are those of new runs.
    row, suite = runs[closed.pk].set, SUITES["retrieval"]
    made = caption_entries(suite, release_captions(row.release, suite))
    fields = ("key", "line", "item_id", "revision_no", "part", "image_id", "cluster", "texts", "gold", "row", "tags")
    assert list(row.entries.order_by("no").values_list(*fields)) == [
        tuple(getattr(one, field) for field in fields) for one in made
    ]
    files = [(one.key, one.texts, one.row["file"]) for one in made]
    assert row.digest == digest_of(row.release.kinds.get().digest, files)
    complete = Completer(row).complete(runs[closed.pk].system, Chosen())
    assert runs[closed.pk].settings == complete
    assert runs[closed.pk].settings_sha256 == settings_digest(complete)

    # Scored again, it has the figures to the last digit.
    queries.releases._gallery.cache_clear()
    score_set_run(Here(run_id=closed.pk))
    again = SetReport.objects.filter(run=closed.pk).latest("pk")
    assert [line[:-1] for line in lines_of(again.report)] == [line[:-1] for line in lines]
    assert again.entries_digest == digest
    # The sweep goes on with the runs that there are, and failures can be tried again.
    sweep_predictions()
    assert set(Run.objects.filter(set__origin="rolling").values_list("pk", flat=True)) == {rolling.pk, erased.pk}
    [[no]] = runs_queries.failed_entries(runs[closed.pk])
    assert row.entries.get(no=no).item.number == 3


def test_a_difference_stops_the_update(other_database):
    old = filled(other_database)
    run = old.run()
    old.predict(run, 1, ["image"])
    old.make("evaluation.Prediction", run=run, item=old.items[1], revision_no=1, variant="caption-0")
    with pytest.raises(RuntimeError, match=rf"Run {run.pk} had 2 vectors, of which 1 were copied without a difference"):
        migrate()
    assert rows("select count(*) from evaluation_prediction") == [(2,)]
    assert rows("select count(*) from evaluation_itemset") == [(0,)]


def test_a_run_over_a_release_without_a_test_split_is_over_a_set_with_nothing_to_ask(other_database):
    old = filled(other_database)
    other = old.make(
        "annotation.Release", benchmark=old.benchmark, number=2, kind="captions", seed=7, protocol=old.protocol
    )
    run = old.run(state="closed", release=other, ended=NOW)
    old.predict(run, 4)
    old.chunk(run, 1, (4,))
    migrate()
    made = Run.objects.select_related("set").get(pk=run.pk)
    assert (made.set.state, made.set.fault["code"], made.expected) == ("refused", "nothing_to_ask", 0)
    assert rows("select count(*) from evaluation_feature") == [(4,)]
