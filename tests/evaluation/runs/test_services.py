"""Accepted work is found, embedded once, and faults stay with the item they belong to."""

import hashlib
import os
import uuid
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.items.models import Item
from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, InvalidInput, NotFound
from curation.core.models import AuditEvent, Job, WorkerSeen
from curation.images.models import Image, Rendition
from evaluation.runs import queries, services
from evaluation.runs.errors import NothingToRetry, SuiteNotForRelease, SystemNotForSuite
from evaluation.runs.models import Chunk, Feature, Reply, ReplyFailure, Run
from evaluation.runs.rules import from_bytes
from evaluation.runs.services import chunks, embedding, replying
from evaluation.sets import services as sets
from evaluation.sets.models import Entry, ItemSet
from evaluation.sets.queries import CleanPicture
from tests.evaluation.accepted import (
    ByNumber,
    accept,
    accepted_item,
    add_system,
    benchmark,
    draft_release,
    frozen_release,
    made_item,
    png,
    reopen,
    revise,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(by_number, tmp_path):
    made = benchmark("by-number")
    add_system(tmp_path, "by-number", "by-number")
    return made


def work_off() -> list[str]:
    """Sweep, and work on each run as a woken worker does; how each ended."""
    return [services.embed_accepted(run_id) for run_id in services.sweep_predictions()]


def keys() -> list[tuple[int, int, int]]:
    return sorted(Reply.objects.values_list("entry__item__number", "entry__revision_no", "entry__part"))


def captions_of(number: int, revision_no: int = 1) -> list[tuple[int, int, int]]:
    return [(number, revision_no, part) for part in range(5)]


def vector_of(reply: Reply, which: str) -> np.ndarray:
    sha256, preparation = reply.value[which]
    return from_bytes(Feature.objects.get(input_sha256=sha256, preparation=preparation).vector)


def test_accepted_work_is_embedded_once_and_the_rest_left_alone(team, by_number):
    for number in (1, 2, 3):
        accepted_item(team, number)
    made_item(team, 4)
    assert work_off() == ["done"]
    assert keys() == [k for n in (1, 2, 3) for k in captions_of(n)]
    reply = Reply.objects.get(entry__item__number=2, entry__part=3)
    for which in ("picture", "text"):
        np.testing.assert_array_equal(vector_of(reply, which), ByNumber.vector(2))
    assert reply.value["picture"][0] == reply.entry.image.renditions.get().sha256 == reply.entry.row["file"]
    assert reply.value["text"][0] == hashlib.sha256(reply.entry.texts["content"]["values"]["text"].encode()).hexdigest()
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.size, chunk.attempt, chunk.lease_until) == ("done", 15, 1, None)
    run = Run.objects.select_related("set").get()
    assert (run.set.origin, run.set.size, run.cut_to, run.expected, run.answered) == ("rolling", 15, 15, 15, 15)
    assert work_off() == []
    assert by_number.seen == [1, 2, 3]


def cover_picture(item):
    """The rows that covering a picture leaves: another file, and no tick."""
    content = png(100 + item.number)
    digest = hashlib.sha256(content).hexdigest()
    row = item.image.renditions.get()
    path = Path(settings.MEDIA_ROOT) / f"{row.key}-2.png"
    path.write_bytes(content)
    values = {"role": "clean", "version": 2, "sha256": digest, "bytes": len(content), "width": 24, "height": 16}
    Rendition.objects.create(image=item.image, key=f"{row.key}-2.png", **values)
    Image.objects.filter(pk=item.image_id).update(redaction_no=1, pii_clear_by=None)


def tick(team, item):
    Image.objects.filter(pk=item.image_id).update(pii_clear_by=team.curator)


def test_a_picture_that_is_covered_while_it_is_embedded_leaves_no_vector_and_waits_for_a_tick(
    team, by_number, monkeypatch
):
    item, _ = accepted_item(team, 1), accepted_item(team, 2)
    old = item.image.renditions.get().sha256
    write = replying.write

    def late(*given):
        if not Reply.objects.exists():
            cover_picture(item)
        return write(*given)

    monkeypatch.setattr(replying, "write", late)
    assert work_off() == ["done"]
    assert keys() == captions_of(2)
    assert set(ReplyFailure.objects.values_list("entry__item__number", "code", "input")) == {
        (1, "picture_altered", "picture")
    }
    assert not Feature.objects.filter(input_sha256=old).exists()
    assert work_off() == []  # nobody has looked at the covered picture yet
    assert Entry.objects.filter(item=item, ended_at=None).count() == 0
    tick(team, item)
    assert work_off() == ["done"]
    assert keys() == captions_of(1) + captions_of(2)
    covered = item.image.renditions.get(role="clean", version=2)
    reply = Reply.objects.filter(entry__item=item).first()
    assert (reply.value["picture"][0], reply.entry.row) == (covered.sha256, {"file": covered.sha256, "version": 2})


def test_a_picture_that_is_covered_between_cutting_and_embedding_is_sent_to_no_system(team, by_number, monkeypatch):
    item, _ = accepted_item(team, 1), accepted_item(team, 2)
    unanswered = embedding.unanswered

    def late(run, chunk):
        if not Reply.objects.exists():
            cover_picture(item)
        return unanswered(run, chunk)

    monkeypatch.setattr(embedding, "unanswered", late)
    assert work_off() == ["done"]
    assert (keys(), by_number.seen) == (captions_of(2), [2])
    assert set(ReplyFailure.objects.values_list("entry__item__number", "code")) == {(1, "picture_missing")}
    tick(team, item)
    assert work_off() == ["done"]
    assert keys() == captions_of(1) + captions_of(2)
    assert by_number.seen == [2, 101]


def test_a_picture_of_a_release_that_waits_for_a_tick_has_failed_and_is_tried_again_on_request(team, by_number):
    items = [accepted_item(team, n) for n in (1, 2)]
    release = frozen_release(team, items)
    cover_picture(items[0])
    run = work_on(team, release)
    assert (run.state, run.answered, run.failed, {number for number, *_ in keys()}) == ("closed", 5, 5, {2})
    tick(team, items[0])
    command(team, "retry", run)
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    assert (run.state, run.failed, {number for number, *_ in keys()}) == ("closed", 0, {1, 2})


def test_a_run_records_what_it_was_carried_out_with(team):
    accepted_item(team, 1)
    work_off()
    run = Run.objects.get()
    assert run.settings == {
        "suite": "retrieval",
        "setting": "both",
        "means": "similarity",
        "side": "content",
        "language": "zh-Hans",
        "prompts": {},
        "decodings": {},
        "ranked": ["names", False],
        "picture": ["1", "Lanczos"],
        "preprocessing": {"picture": "clean rendition, RGB", "text": "as accepted, NFC"},
    }
    assert run.protocol == team.benchmark.protocol
    (worker,) = run.environment["workers"]
    assert (worker["packages"], worker["embedder"]) == (
        {"numpy": np.__version__},
        {"device": "cpu", "dimension": 8},
    )
    assert (worker["items_at_once"], worker["inputs_at_once"]) == (16, 64)
    accepted_item(team, 2)
    work_off()
    assert len(Run.objects.get().environment["workers"]) == 1


def test_a_second_sweep_opens_nothing_twice_and_wakes_nobody_for_a_run_in_hand(team):
    accepted_item(team, 1)
    first = services.sweep_predictions()
    assert services.sweep_predictions() == first == [Run.objects.get().pk]
    assert chunks.cut_pending(first[0]) == 0  # cut as it was opened
    chunk = chunks.claim_chunk(first[0])
    assert services.sweep_predictions() == []
    Chunk.objects.filter(pk=chunk.pk).update(lease_until="2020-01-01T00:00:00Z")
    assert services.sweep_predictions() == first


def test_a_sweep_wakes_the_workers_of_the_systems_queue_unless_it_is_crowded(
    team, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(jobs, "send", lambda task, **kwargs: sent.append((task, kwargs)))
    accepted_item(team, 1)
    with django_capture_on_commit_callbacks(execute=True):
        (run_id,) = services.sweep_predictions()
    # One as the run is opened, one as every run with work is.
    assert sent == [("evaluation.embed_accepted", {"queue": "gpu", "run_id": run_id})] * 2
    monkeypatch.setattr(jobs, "crowded", lambda app, queue: queue == "gpu")
    with django_capture_on_commit_callbacks(execute=True):
        assert services.sweep_predictions() == []
    assert len(sent) == 2


def test_a_sweep_with_nothing_to_do_asks_twenty_two_things(team, django_assert_num_queries):
    accepted_item(team, 1)
    work_off()
    # Requested runs and their protocols; the set, its lock, what ended, what is new; the run; what to close; releases
    # without runs, for each of seven suites; withdrawn releases, pending runs.
    with django_assert_num_queries(22):
        assert services.sweep_predictions() == []


def test_a_new_revision_is_embedded_beside_the_old(team):
    item = accepted_item(team, 1)
    work_off()
    reopen(item)
    assert work_off() == []
    revise(item, team.annotator)
    accept(item)
    assert work_off() == ["done"]
    assert keys() == sorted(captions_of(1, 1) + captions_of(1, 2))
    assert Entry.objects.filter(ended_at=None).values_list("revision_no", flat=True).distinct().get() == 2


def test_a_frozen_revision_is_embedded_though_its_item_was_reopened(team):
    item = accepted_item(team, 1)
    release = frozen_release(team, [item])
    reopen(item)
    revise(item, team.annotator)
    work_on(team, release)
    assert keys() == captions_of(1, 1)


def test_work_left_after_a_killed_worker_is_taken_up_without_repeating(team, by_number, settings):
    settings.EMBED_ITEMS_AT_ONCE = 2
    for number in (1, 2, 3, 4, 5):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    embed_images, calls = by_number.embed_images, []

    def dies_at_the_third_batch(images):
        calls.append(len(images))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return embed_images(images)

    by_number.embed_images = dies_at_the_third_batch
    with pytest.raises(KeyboardInterrupt):
        services.embed_accepted(run_id)
    done = [k for n in (1, 2, 3, 4) for k in captions_of(n)]
    assert keys() == done
    assert services.sweep_predictions() == []
    assert (services.embed_accepted(run_id), keys()) == ("done", done)  # the dead worker's lease still runs
    Chunk.objects.exclude(lease_until=None).update(lease_until="2020-01-01T00:00:00Z")
    by_number.embed_images = embed_images
    assert services.sweep_predictions() == [run_id]
    assert services.embed_accepted(run_id) == "done"
    assert by_number.seen == [1, 2, 3, 4, 5]
    assert (Reply.objects.count(), Feature.objects.count()) == (25, 30)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda file: file.unlink(), "picture_missing"),
        (lambda file: file.write_bytes(file.read_bytes() + b"x"), "picture_altered"),
    ],
    ids=["missing", "altered"],
)
def test_a_spoilt_picture_fails_alone(team, spoil, code):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    spoil(settings.MEDIA_ROOT / items[1].image.renditions.get().key)
    assert work_off() == ["done"]
    failed = ReplyFailure.objects.values_list("entry__item", "input", "round", "code").distinct()
    assert list(failed) == [(items[1].pk, "picture", 0, code)]
    assert [sorted(row.value) for row in ReplyFailure.objects.all()] == [["text"]] * 5
    assert (Reply.objects.count(), Feature.objects.count()) == (10, 17)
    assert work_off() == []


def test_an_unreadable_picture_fails_alone(team):
    items = [accepted_item(team, n) for n in (1, 2)]
    file = settings.MEDIA_ROOT / items[0].image.renditions.get().key
    broken = settings.MEDIA_ROOT / "broken.png"
    broken.write_bytes(file.read_bytes()[:40])
    picture = CleanPicture(1, "broken.png", hashlib.sha256(broken.read_bytes()).hexdigest())
    assert dict(services.open_pictures({"broken": picture})) == {"broken": "picture_unreadable"}


def test_without_the_pictures_folder_no_picture_is_blamed(team, settings, tmp_path):
    accepted_item(team, 1)
    settings.MEDIA_ROOT = tmp_path / "not-mounted"
    assert work_off() == ["failed"]
    assert Reply.objects.count() == 0
    assert Chunk.objects.get().error_code == "picture_store_unreachable"


def test_what_the_system_chokes_on_fails_alone(team, by_number):
    for number in (1, 2, 3):
        accepted_item(team, number)
    embed_texts = by_number.embed_texts

    def picky(texts):
        if any(t.startswith("002 号图中的第 4") for t in texts):
            raise RuntimeError("token out of range")
        return embed_texts(texts)

    by_number.embed_texts = picky
    assert work_off() == ["done"]
    failed = ReplyFailure.objects.get()
    assert (failed.entry.item.number, failed.entry.part, failed.input) == (2, 4, "text")
    assert (failed.code, failed.message) == ("system_refused_input", "RuntimeError: token out of range")
    assert (list(failed.value), Reply.objects.count(), Feature.objects.count()) == (["picture"], 14, 17)


@pytest.mark.parametrize(
    ("vector", "code"),
    [
        (np.full(8, np.nan, dtype=np.float32), "vector_not_finite"),
        (np.full(8, np.inf, dtype=np.float32), "vector_not_finite"),
        (np.zeros(8, dtype=np.float32), "vector_not_unit"),
    ],
    ids=["nan", "inf", "zero"],
)
def test_a_vector_that_cannot_be_scored_is_a_failure(team, by_number, vector, code):
    accepted_item(team, 1)
    embed_images = by_number.embed_images
    by_number.embed_images = lambda images: np.stack([vector for _ in embed_images(images)])
    assert work_off() == ["done"]
    assert set(ReplyFailure.objects.values_list("input", "code")) == {("picture", code)}
    assert Feature.objects.count() == 5  # what cannot be scored is not kept for others either


def test_a_broken_system_blames_no_item_and_is_tried_again_later(team, by_number):
    accepted_item(team, 1)
    by_number.embed_images = lambda images: (_ for _ in ()).throw(RuntimeError("the card fell off"))
    assert [work_off() for _ in range(5)] == [["queued"]] * 4 + [["failed"]]
    assert (Reply.objects.count(), ReplyFailure.objects.count()) == (0, 0)
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.attempt, chunk.error_code) == ("failed", 5, "internal_error")
    assert "the card fell off" in chunk.log
    assert services.sweep_predictions() == []  # left alone for ten minutes
    assert services.embed_accepted(chunk.run_id) == "done"
    assert Reply.objects.count() == 0
    Chunk.objects.update(finished_at="2020-01-01T00:00:00Z")
    del by_number.embed_images
    assert work_off() == ["done"]
    chunk.refresh_from_db()
    assert (chunk.state, chunk.attempt, chunk.error_code, chunk.log) == ("done", 1, "", "")
    assert Reply.objects.count() == 5


def test_what_failed_in_one_worker_is_tried_by_another(team, by_number, settings, monkeypatch):
    settings.EMBED_ITEMS_AT_ONCE = 1
    for number in (1, 2):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    by_number.embed_images = lambda images: (_ for _ in ()).throw(InvalidInput())
    assert services.embed_accepted(run_id) == "failed"
    assert sorted(Chunk.objects.values_list("state", flat=True)) == ["failed", "queued"]
    del by_number.embed_images
    monkeypatch.setattr(jobs, "worker_name", lambda: "elsewhere:7")
    assert services.embed_accepted(run_id) == "done"
    assert set(Chunk.objects.values_list("state", "worker")) == {("done", "elsewhere:7")}
    assert Reply.objects.count() == 10


def test_files_that_changed_since_they_were_added_are_not_run(team, tmp_path):
    accepted_item(team, 1)
    (tmp_path / "by-number" / "config.json").write_text('{"retouched": true}')
    assert work_off() == ["failed"]
    assert Chunk.objects.get().error_code == "system_files_changed"
    assert Reply.objects.count() == 0


def test_another_revision_of_the_system_gets_a_run_of_its_own(team, tmp_path):
    accepted_item(team, 1)
    work_off()
    (old,) = Run.objects.all()
    add_system(tmp_path, "by-number", "by-number", config='{"trained": "longer"}')
    assert work_off() == ["done"]
    old.refresh_from_db()
    new = Run.objects.get(state="open")
    assert (old.state, old.replies.count(), new.replies.count()) == ("closed", 5, 5)
    assert old.system.slug == new.system.slug
    assert old.system.revision != new.system.revision


def test_what_no_protocol_asks_for_any_more_is_closed(team):
    accepted_item(team, 1)
    work_off()
    team.benchmark.protocol = None
    team.benchmark.save(update_fields=["protocol"])
    assert services.sweep_predictions() == []
    assert Run.objects.get().state == "closed"
    assert Reply.objects.count() == 5


@pytest.mark.parametrize("asked", [("nobody-knows-it",), ()], ids=["unknown", "none"])
def test_a_protocol_may_ask_for_nothing_known(by_number, asked):
    accepted_item(benchmark(*asked, slug="other", prefix="o-"), 1)
    assert services.sweep_predictions() == []
    assert Run.objects.count() == 0


def test_the_demo_system_is_added_when_a_protocol_first_asks_for_it(by_number, tmp_path, settings):
    settings.FIXTURES = tmp_path
    settings.MODEL_DIRS = [tmp_path]
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text("{}")
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / "tiny.yaml").write_text(
        "slug: tiny\nname: Tiny\nbackend: by-number\nlocator: tiny\nis_demo: true\n"
        "description: {zh-Hans: 小, zh-Hant: 小, en: small}\n"
    )
    accepted_item(benchmark("tiny", slug="other", prefix="o-"), 1)
    assert work_off() == ["done"]
    assert (Run.objects.get().system.slug, Reply.objects.count()) == ("tiny", 5)


def test_replies_cannot_be_changed(team):
    accepted_item(team, 1)
    work_off()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Reply.objects.update(value={})


# --- Chunks -----------------------------------------------------------------------------------------------------------


def sizes_and_items() -> list[tuple[int, list[int]]]:
    items = dict(Entry.objects.values_list("no", "item_id"))
    return [(c.size, list(dict.fromkeys(items[no] for no in c.entries))) for c in Chunk.objects.order_by("no")]


def test_chunks_are_cut_once_by_length_and_nobody_claims_what_another_holds(team, settings, monkeypatch):
    settings.EMBED_ITEMS_AT_ONCE = 2
    long, short, middle, other = (accepted_item(team, n) for n in (1, 2, 3, 4))
    for item, words in ((long, "长" * 90), (short, "短"), (middle, "中" * 40), (other, "中" * 41)):
        reopen(item)
        revise(item, team.annotator, content={"captions": [f"{item.number:03d}{words}{i}" for i in range(5)]})
        accept(item)
    services.sweep_predictions()
    run = Run.objects.get()
    assert sizes_and_items() == [(10, [short.pk, middle.pk]), (10, [other.pk, long.pk])]
    assert chunks.cut_pending(run.pk) == 0
    first = chunks.claim_chunk(run.pk)
    monkeypatch.setattr(jobs, "worker_name", lambda: "elsewhere:7")
    second = chunks.claim_chunk(run.pk)
    assert (first.no, first.attempt, second.no, second.worker) == (1, 1, 2, "elsewhere:7")
    assert chunks.claim_chunk(run.pk) is None
    # The first holder falls silent; who takes its chunk over shuts it out.
    Chunk.objects.filter(pk=first.pk).update(lease_until="2020-01-01T00:00:00Z")
    again = chunks.claim_chunk(run.pk)
    assert (again.pk, again.attempt, again.worker) == (first.pk, 2, "elsewhere:7")
    assert [jobs.renew(first), jobs.finish(first, ms=1), jobs.renew(again), jobs.finish(again, ms=1)] == [
        *(False, False),
        *(True, True),
    ]
    assert (chunks.is_finished(first), chunks.is_finished(again)) == (False, True)
    assert [c.state for c in Chunk.objects.order_by("no")] == ["done", "running"]


def test_the_captions_of_one_picture_are_in_one_chunk_and_it_is_embedded_once(team, by_number, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    first, other = accepted_item(team, 1), accepted_item(team, 2)
    second = Item.objects.create(
        benchmark=team.benchmark, kind="captions", image=first.image, slot=1, number=3, state="made"
    )
    revise(second, team.annotator)
    accept(second)
    assert work_off() == ["done"]
    assert sizes_and_items() == [(10, [first.pk, second.pk]), (5, [other.pk])]
    assert (by_number.seen, Reply.objects.count(), Feature.objects.count()) == ([1, 2], 15, 17)


def test_a_picture_that_is_away_counts_once_for_the_captions_of_all_its_items(team):
    first = accepted_item(team, 1)
    second = Item.objects.create(
        benchmark=team.benchmark, kind="captions", image=first.image, slot=1, number=3, state="made"
    )
    revise(second, team.annotator)
    accept(second)
    (settings.MEDIA_ROOT / first.image.renditions.get().key).unlink()
    assert work_off() == ["done"]
    run = Run.objects.get()
    (row,) = queries.run_list(team.admin, "cvlue")
    assert (row["failed"], row["errors"]) == (10, [{"code": "picture_missing", "n": 1}])
    assert unresolved(team, run) == [(first.pk, "image", "picture_missing")]


def test_a_chunk_that_was_taken_over_meanwhile_is_not_written(team, by_number):
    accepted_item(team, 1)
    embed_texts = by_number.embed_texts

    def slow(texts):
        Chunk.objects.update(worker="elsewhere:7", attempt=2)
        return embed_texts(texts)

    by_number.embed_texts = slow
    assert work_off() == ["done"]
    assert (Reply.objects.count(), Feature.objects.count()) == (0, 0)
    assert Chunk.objects.get().state == "running"


def test_a_chunk_that_takes_worker_after_worker_down_fails_and_lets_the_others_go_on(team, by_number, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    for number in (1, 2):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    Chunk.objects.filter(no=1).update(attempt=5)
    assert services.embed_accepted(run_id) == "done"
    assert set(ReplyFailure.objects.values_list("entry__item__number", "code", "round")) == {(1, "chunk_gave_up", 0)}
    assert (ReplyFailure.objects.count(), keys(), by_number.seen) == (5, captions_of(2), [2])


def test_a_worker_that_is_told_to_stop_ends_after_the_chunk_in_hand(team, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    for number in (1, 2, 3):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    stop = iter([False, False, True])
    assert services.embed_accepted(run_id, stop=lambda: next(stop)) == "done"
    assert keys() == captions_of(1) + captions_of(2)
    assert work_off() == ["done"]
    assert len(keys()) == 15


def test_what_a_dead_process_of_this_machine_held_is_requeued_at_once(team, monkeypatch):
    for number in (1, 2):
        accepted_item(team, number)
    (run_id,) = services.sweep_predictions()
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="one", queue="gpu")
    host = jobs.worker_name().rpartition(":")[0]
    monkeypatch.setattr(jobs, "worker_name", lambda: f"{host}:{2**22 + 1}")  # no process has such a number
    with pytest.raises(KeyboardInterrupt):
        jobs.run(job.pk, lambda lease: (chunks.claim_chunk(run_id), (_ for _ in ()).throw(KeyboardInterrupt)))
    assert (Chunk.objects.get().state, Job.objects.get().state) == ("running", "running")
    monkeypatch.undo()
    services.report_worker("gpu")
    assert (Chunk.objects.get().state, Job.objects.get().state) == ("queued", "queued")
    assert [name.rpartition(":")[2] for name in WorkerSeen.objects.values_list("name", flat=True)] == [str(os.getpid())]


def test_each_living_worker_is_woken_but_no_more_than_there_are_chunks(team, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    for number in (1, 2, 3):
        accepted_item(team, number)
    for name in ("one:1", "two:2", "three:3", "four:4"):
        WorkerSeen.objects.create(queue="gpu", name=name, seen_at=timezone.now())
    WorkerSeen.objects.create(queue="gpu", name="gone:5", seen_at=timezone.now() - jobs.WORKER_SILENT_AFTER)
    woken = services.sweep_predictions()
    run = Run.objects.get()
    assert woken == [run.pk] * 3
    chunks.claim_chunk(run.pk)
    assert services.sweep_predictions() == [run.pk] * 2


# --- Features ---------------------------------------------------------------------------------------------------------


def test_what_was_embedded_before_is_not_embedded_again(team, by_number):
    items = [accepted_item(team, n) for n in (1, 2)]
    work_off()
    assert Feature.objects.count() == 12
    release = frozen_release(team, items)
    by_number.embed_images = by_number.embed_texts = lambda inputs: pytest.fail("asked for nothing new")
    run = work_on(team, release)
    assert (run.state, run.replies.count(), Feature.objects.count()) == ("closed", 10, 12)
    ours = Reply.objects.get(run=run, entry__item=items[0], entry__part=0)
    np.testing.assert_array_equal(vector_of(ours, "picture"), ByNumber.vector(1))


def test_another_number_type_is_another_preparation(team, by_number):
    accepted_item(team, 1)
    services.sweep_predictions()
    run = Run.objects.get()
    single = embedding.preparation_of(run, by_number)
    by_number.describe = lambda: {"dtype": "float16"}
    assert embedding.preparation_of(run, by_number) != single


def test_inputs_that_are_the_same_are_embedded_once(team, by_number):
    item = accepted_item(team, 1)
    reopen(item)
    revise(item, team.annotator, content={"captions": ["001 灯"] * 5})
    accept(item)
    read = []
    embed_texts = by_number.embed_texts
    by_number.embed_texts = lambda texts: (read.extend(texts), embed_texts(texts))[1]
    assert work_off() == ["done"]
    assert (read, Reply.objects.count(), Feature.objects.count()) == (["001 灯"], 5, 2)


# --- Life -------------------------------------------------------------------------------------------------------------


def start(team, release, **changes):
    given = {"benchmark_slug": "cvlue", "system_slug": "by-number", "suite_name": "retrieval"}
    given |= {"release_id": release.pk, "client_key": uuid.uuid4()}
    return services.start_run(actor=team.admin, **(given | changes))


def read_set(team, release) -> ItemSet:
    """Make the entries of a release's set, as its job does."""
    row = ItemSet.objects.get(release=release, suite="retrieval")
    if row.state == "waiting":
        assert jobs.run(row.job_id, sets.read_set) == "done"
        row.refresh_from_db()
    return row


def started_run(team, release, **changes) -> Run:
    """A run over a release whose entries are there."""
    started = start(team, release, **changes)
    read_set(team, release)
    return Run.objects.get(pk=started.run_id)


def work_on(team, release) -> Run:
    """A run over a release, worked off."""
    run = started_run(team, release)
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    return run


def command(team, name: str, run: Run, client_key: uuid.UUID | None = None) -> Run:
    services_of = {"pause": services.pause_run, "resume": services.resume_run, "cancel": services.cancel_run}
    given = {"actor": team.admin, "run_id": run.pk, "client_key": client_key or uuid.uuid4()}
    (services_of | {"retry": services.retry_run})[name](**given)
    run.refresh_from_db()
    return run


def test_a_run_over_a_release_embeds_its_test_split_and_closes(team):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    release = frozen_release(team, items[:2])
    run = started_run(team, release)
    assert (run.state, run.release, run.started_by, run.set.size) == ("open", release, team.admin, 10)
    assert start(team, release) == (run.pk, False)
    assert services.embed_accepted(run.pk) == "done"
    assert keys() == captions_of(1) + captions_of(2)
    run.refresh_from_db()
    assert (run.state, run.ended_at is not None, run.expected, run.answered) == ("closed", True, 10, 10)
    assert [e.state_to for e in AuditEvent.objects.filter(target_type="run")] == ["open"]
    assert start(team, release).created is True  # a run that ended stands; another may be made


def test_a_release_without_test_pictures_has_nothing_to_search(team):
    release = frozen_release(team, [accepted_item(team, 1)], split="train")
    run = started_run(team, release)
    assert (run.set.state, run.set.fault["code"]) == ("refused", "nothing_to_ask")
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    assert (run.state, run.expected) == ("closed", 0)
    services.sweep_predictions()
    assert Run.objects.filter(set=run.set).count() == 1


def test_entries_of_a_release_are_in_its_order_and_asked_by_picture_and_length(team):
    items = [accepted_item(team, n) for n in (1, 2, 3)]
    for item, words in zip(items, ("长" * 9, "短", "中" * 4), strict=True):
        revise(item, team.annotator, content={"captions": [f"{item.number:03d}{words}{i}" for i in range(2)]})
        accept(item)
    release = frozen_release(team, items)
    row = started_run(team, release).set
    listed = row.entries.order_by("no").values_list("item__number", "part", "line", "key")
    assert list(listed) == [
        (2, 0, 3, "cap-000002-0"),
        (2, 1, 4, "cap-000002-1"),
        (3, 0, 5, "cap-000003-0"),
        (3, 1, 6, "cap-000003-1"),
        (1, 0, 1, "cap-000001-0"),
        (1, 1, 2, "cap-000001-1"),
    ]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"system_slug": "nobody-knows-it"}, SystemNotForSuite),
        ({"suite_name": "chess"}, SuiteNotForRelease),
        ({"benchmark_slug": "elsewhere"}, NotFound),
    ],
)
def test_a_run_that_cannot_be_is_not_started(team, changes, error):
    release = frozen_release(team, [accepted_item(team, 1)])
    with pytest.raises(error):
        start(team, release, **changes)
    assert Run.objects.count() == 0


@pytest.mark.parametrize("state", ["draft", "checked", "withdrawn"])
def test_only_what_is_frozen_or_published_is_run_over(team, state):
    release = draft_release(team)
    over = {"withdrawn_at": timezone.now(), "withdrawn_reason": "x"} if state == "withdrawn" else {}
    type(release).objects.filter(pk=release.pk).update(state=state, **over)
    with pytest.raises(ActionNotAllowed):
        start(team, release)
    assert Run.objects.count() == 0


def withdraw(release):
    """Take a release back, as its service does."""
    told = {"state": "withdrawn", "withdrawn_at": timezone.now(), "withdrawn_reason": "x"}
    type(release).objects.filter(pk=release.pk).update(**told)


@pytest.mark.parametrize("hold", [False, True])
def test_a_run_over_a_withdrawn_release_is_given_up(team, settings, hold):
    settings.EMBED_ITEMS_AT_ONCE = 1
    release = frozen_release(team, [accepted_item(team, n) for n in (1, 2)])
    run = started_run(team, release)
    services.embed_accepted(run.pk, stop=Reply.objects.exists)
    assert keys() == captions_of(1)
    if hold:
        command(team, "pause", run)
    withdraw(release)
    services.sweep_predictions()
    run.refresh_from_db()
    assert (run.state, run.ended_at is not None, chunks.claim_chunk(run.pk)) == ("cancelled", True, None)
    assert run.replies.count() == 5
    services.sweep_predictions()
    event = AuditEvent.objects.get(action="run_cancel", target_id=run.pk)
    assert (event.actor_id, event.state_from, event.data) == (
        None,
        "paused" if hold else "open",
        {"withdrawn": release.label},
    )


def test_what_failed_on_a_withdrawn_release_is_not_tried_again(team):
    items = [accepted_item(team, 1)]
    (settings.MEDIA_ROOT / items[0].image.renditions.get().key).unlink()
    release = frozen_release(team, items)
    run = work_on(team, release)
    withdraw(release)
    with pytest.raises(ActionNotAllowed):
        command(team, "retry", run)
    run.refresh_from_db()
    assert (run.state, run.round, Chunk.objects.count()) == ("closed", 0, 1)


@pytest.mark.parametrize("state", ["frozen", "published"])
def test_published_releases_count_as_frozen_ones(team, state):
    item = accepted_item(team, 1)
    release = frozen_release(team, [item])
    told = {"published_at": timezone.now()} if state == "published" else {}
    type(release).objects.filter(pk=release.pk).update(state=state, **told)
    reopen(item)
    services.sweep_predictions()
    read_set(team, release)
    assert work_off() == ["done"]
    assert keys() == captions_of(1)


def test_starting_twice_with_one_key_starts_one_run(team):
    release = frozen_release(team, [accepted_item(team, 1)])
    key = uuid.uuid4()
    first = start(team, release, client_key=key)
    command(team, "cancel", Run.objects.get(pk=first.run_id))
    assert start(team, release, client_key=key) == (first.run_id, False)
    with pytest.raises(ClientKeyReused):
        start(team, release, client_key=key, suite_name="other")
    assert Run.objects.count() == 1


def test_a_held_run_stops_after_the_chunk_in_hand_and_goes_on_when_resumed(team, by_number, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    release = frozen_release(team, [accepted_item(team, n) for n in (1, 2, 3)])
    run = started_run(team, release)
    embed_images = by_number.embed_images

    def held_meanwhile(images):
        command(team, "pause", run)
        return embed_images(images)

    by_number.embed_images = held_meanwhile
    assert services.embed_accepted(run.pk) == "done"
    assert (keys(), run.state) == (captions_of(1), "paused")
    assert queries.pending_runs() == []
    by_number.embed_images = embed_images
    key = uuid.uuid4()
    assert command(team, "resume", run, key).state == "open"
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    assert (len(keys()), run.state) == (15, "closed")
    assert command(team, "resume", run, key).state == "closed"  # the same request again


def test_a_run_that_was_given_up_keeps_its_answers_and_makes_room(team, settings):
    settings.EMBED_ITEMS_AT_ONCE = 1
    release = frozen_release(team, [accepted_item(team, n) for n in (1, 2)])
    run = started_run(team, release)
    stop = iter([False, True])
    services.embed_accepted(run.pk, stop=lambda: next(stop))
    assert command(team, "cancel", run).state == "cancelled"
    assert (run.ended_at is not None, run.replies.count(), queries.pending_runs()) == (True, 5, [])
    for name in ("pause", "resume", "cancel", "retry"):
        with pytest.raises(ActionNotAllowed):
            command(team, name, run)
    again = start(team, release)
    assert (again.created, again.run_id != run.pk) == (True, True)


def test_a_rolling_run_that_was_given_up_is_not_opened_again(team):
    accepted_item(team, 1)
    services.sweep_predictions()
    command(team, "cancel", Run.objects.get())
    assert (services.sweep_predictions(), Run.objects.count()) == ([], 1)


def unresolved(team, run: Run) -> list[tuple[int, str, str]]:
    page = queries.failures(team.admin, run.pk, page_size=50)
    return [(row["item"]["id"], row["variant"], row["code"]) for row in page["results"]]


def test_what_failed_is_tried_again_in_the_next_round(team, by_number):
    items = [accepted_item(team, n) for n in (1, 2)]
    file = settings.MEDIA_ROOT / items[0].image.renditions.get().key
    content = file.read_bytes()
    file.unlink()
    release = frozen_release(team, items)
    run = work_on(team, release)
    assert (run.state, run.answered, run.failed) == ("closed", 5, 5)
    assert unresolved(team, run) == [(items[0].pk, "image", "picture_missing")]
    # Still away: a second row for the second round, and the texts are not read anew.
    by_number.embed_texts = lambda texts: pytest.fail("answered in the first round")
    command(team, "retry", run)
    assert (run.state, run.round) == ("open", 1)
    services.embed_accepted(run.pk)
    failed = ReplyFailure.objects.values_list("round", "code")
    assert sorted(failed) == [(round_, "picture_missing") for round_ in (0, 1) for _ in range(5)]
    # Put back: an answer, and the failures stay as history.
    file.write_bytes(content)
    command(team, "retry", run)
    services.embed_accepted(run.pk)
    assert (Reply.objects.count(), ReplyFailure.objects.count(), Run.objects.get().state) == (10, 10, "closed")
    assert unresolved(team, run) == []
    with pytest.raises(NothingToRetry):
        command(team, "retry", run)
    run.refresh_from_db()
    assert (run.round, run.state, Chunk.objects.count()) == (2, "closed", 3)


def test_a_chunk_that_failed_is_tried_at_once_when_asked(team, by_number, tmp_path):
    release = frozen_release(team, [accepted_item(team, 1)])
    run = started_run(team, release)
    config = tmp_path / "by-number" / "config.json"
    config.write_text('{"retouched": true}')
    assert services.embed_accepted(run.pk) == "failed"
    assert (Chunk.objects.get().state, Chunk.objects.get().attempt) == ("failed", 1)
    config.write_text("{}")
    assert run.pk not in services.sweep_predictions()
    command(team, "retry", run)
    assert (run.round, run.chunks.get().state, run.chunks.get().error_code) == (0, "queued", "")
    assert run.pk in services.sweep_predictions()
    assert services.embed_accepted(run.pk) == "done"
    run.refresh_from_db()
    assert (run.state, len(keys())) == ("closed", 5)


def test_a_retry_waits_for_another_run_over_the_same(team):
    items = [accepted_item(team, 1)]
    (settings.MEDIA_ROOT / items[0].image.renditions.get().key).unlink()
    release = frozen_release(team, items)
    first = work_on(team, release)
    start(team, release)
    with pytest.raises(ActionNotAllowed):
        command(team, "retry", first)
    first.refresh_from_db()
    assert (first.state, first.round, first.chunks.count()) == ("closed", 0, 1)
