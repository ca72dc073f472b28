"""Accepted work is found, embedded once, and faults stay with the item they belong to."""

import numpy as np
import pytest
from django.conf import settings
from django.db import DatabaseError, transaction

from curation.core import jobs
from curation.core.models import Job
from evaluation.runs import queries, services
from evaluation.runs.models import Prediction, Run
from evaluation.runs.rules import from_bytes
from tests.evaluation.accepted import (
    ByNumber,
    accept,
    accepted_item,
    add_system,
    benchmark,
    frozen_release,
    made_item,
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
    """Sweep and carry out what it noted, as the worker does."""
    return [jobs.run(job_id, services.embed_accepted) for job_id in services.sweep_predictions()]


def keys() -> list[tuple[int, int, str]]:
    return sorted(Prediction.objects.values_list("item__number", "revision_no", "variant"))


def every_variant(number: int, revision_no: int = 1) -> list[tuple[int, int, str]]:
    return [(number, revision_no, v) for v in sorted(["image", *(f"caption-{i}" for i in range(5))])]


def test_accepted_work_is_embedded_once_and_the_rest_left_alone(team, by_number):
    for number in (1, 2, 3):
        accepted_item(team, number)
    made_item(team, 4)
    assert work_off() == ["done"]
    assert keys() == [k for n in (1, 2, 3) for k in every_variant(n)]
    assert set(Prediction.objects.values_list("outcome", flat=True)) == {"ok"}
    picture = Prediction.objects.get(item__number=2, variant="image")
    assert bytes(picture.vector) == ByNumber.vector(2).astype("<f4").tobytes()
    assert picture.value == {"rendition": picture.item.image.renditions.get().pk}
    np.testing.assert_array_equal(
        from_bytes(Prediction.objects.get(item__number=2, variant="caption-3").vector), ByNumber.vector(2)
    )
    job = Job.objects.get()
    assert (job.queue, job.done, job.total, job.dedupe_key) == ("gpu", 3, 3, f"embed:{Run.objects.get().pk}")
    assert work_off() == []
    assert by_number.seen == [1, 2, 3]


def test_a_run_records_what_it_was_carried_out_with(team):
    accepted_item(team, 1)
    work_off()
    run = Run.objects.get()
    assert run.settings == {
        "suite": "retrieval",
        "kind": "captions",
        "preprocessing": {"picture": "clean rendition, RGB", "text": "as accepted, NFC"},
    }
    assert run.protocol == team.benchmark.protocol
    (worker,) = run.environment["workers"]
    assert (worker["packages"], worker["embedder"]) == (
        {"numpy": np.__version__},
        {"device": "cpu", "dimension": 8},
    )
    accepted_item(team, 2)
    work_off()
    assert len(Run.objects.get().environment["workers"]) == 1


def test_a_second_sweep_opens_and_notes_nothing_twice(team):
    accepted_item(team, 1)
    first = services.sweep_predictions()
    assert services.sweep_predictions() == first
    assert (Run.objects.count(), Job.objects.count()) == (1, 1)


def test_a_sweep_with_nothing_to_do_asks_four_things(team, django_assert_num_queries):
    accepted_item(team, 1)
    work_off()
    with django_assert_num_queries(4):  # wishes, systems, open runs, what is left
        assert services.sweep_predictions() == []


def test_a_new_revision_is_embedded_beside_the_old(team):
    item = accepted_item(team, 1)
    work_off()
    reopen(item)
    assert work_off() == []
    revise(item, team.annotator)
    accept(item)
    assert work_off() == ["done"]
    assert keys() == sorted(every_variant(1, 1) + every_variant(1, 2))


def test_a_frozen_revision_is_embedded_though_its_item_was_reopened(team):
    item = accepted_item(team, 1)
    frozen_release(team, [item])
    reopen(item)
    revise(item, team.annotator)
    assert work_off() == ["done"]
    assert keys() == every_variant(1, 1)


def test_work_left_after_a_killed_worker_is_taken_up_without_repeating(team, by_number, settings):
    settings.EMBED_ITEMS_AT_ONCE = 2
    for number in (1, 2, 3, 4, 5):
        accepted_item(team, number)
    (job_id,) = services.sweep_predictions()
    embed_images, calls = by_number.embed_images, []

    def dies_at_the_third_batch(images):
        calls.append(len(images))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return embed_images(images)

    by_number.embed_images = dies_at_the_third_batch
    with pytest.raises(KeyboardInterrupt):
        jobs.run(job_id, services.embed_accepted)
    assert keys() == [k for n in (1, 2, 3, 4) for k in every_variant(n)]
    assert services.sweep_predictions() == [job_id]
    assert jobs.run(job_id, services.embed_accepted) == "taken"  # the dead worker's lease still runs
    Job.objects.update(lease_until="2020-01-01T00:00:00Z")
    by_number.embed_images = embed_images
    assert jobs.run(job_id, services.embed_accepted) == "done"
    assert by_number.seen == [1, 2, 3, 4, 5]
    assert Prediction.objects.count() == 30


def test_a_worker_that_lost_its_lease_writes_nothing(team, by_number):
    accepted_item(team, 1)
    (job_id,) = services.sweep_predictions()
    embed_texts = by_number.embed_texts

    def slow(texts):
        Job.objects.filter(pk=job_id).update(attempt=2)  # somebody else took it over meanwhile
        return embed_texts(texts)

    by_number.embed_texts = slow
    assert jobs.run(job_id, services.embed_accepted) == "taken"
    assert Prediction.objects.count() == 0


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
    failed = Prediction.objects.get(outcome="failed")
    assert (failed.item, failed.variant, failed.vector) == (items[1], "image", None)
    assert failed.value["code"] == code
    assert Prediction.objects.filter(outcome="ok").count() == 17
    assert work_off() == []


def test_an_unreadable_picture_fails_alone(team):
    items = [accepted_item(team, n) for n in (1, 2)]
    file = settings.MEDIA_ROOT / items[0].image.renditions.get().key
    work = services.queries.Work(items[0].pk, 1, {}, 1, file.name, "")
    broken = settings.MEDIA_ROOT / "broken.png"
    broken.write_bytes(file.read_bytes()[:40])
    digest = services.hashlib.sha256(broken.read_bytes()).hexdigest()
    assert services.open_picture(work._replace(key="broken.png", image_bytes_sha256=digest)) == "picture_unreadable"


def test_without_the_pictures_folder_no_picture_is_blamed(team, settings, tmp_path):
    accepted_item(team, 1)
    settings.MEDIA_ROOT = tmp_path / "not-mounted"
    assert work_off() == ["failed"]
    assert Prediction.objects.count() == 0
    assert Job.objects.get().error_code == "picture_store_unreachable"


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
    failed = Prediction.objects.get(outcome="failed")
    assert (failed.item.number, failed.variant) == (2, "caption-4")
    assert (failed.value, failed.raw) == ({"code": "system_refused_input"}, "RuntimeError: token out of range")
    assert Prediction.objects.filter(outcome="ok").count() == 17


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
    failed = Prediction.objects.get(outcome="failed")
    assert (failed.variant, failed.value["code"], failed.vector) == ("image", code, None)


def test_a_broken_system_blames_no_item_and_is_tried_again_later(team, by_number):
    accepted_item(team, 1)
    by_number.embed_images = lambda images: (_ for _ in ()).throw(RuntimeError("the card fell off"))
    (job_id,) = services.sweep_predictions()
    states = [jobs.run(job_id, services.embed_accepted) for _ in range(5)]
    assert states == ["queued"] * 4 + ["failed"]
    assert Prediction.objects.count() == 0
    assert "the card fell off" in Job.objects.get().log
    assert services.sweep_predictions() == []  # left alone for ten minutes
    Job.objects.update(finished_at="2020-01-01T00:00:00Z")
    del by_number.embed_images
    assert work_off() == ["done"]
    assert Prediction.objects.count() == 6


def test_files_that_changed_since_they_were_added_are_not_run(team, tmp_path):
    accepted_item(team, 1)
    (tmp_path / "by-number" / "config.json").write_text('{"retouched": true}')
    assert work_off() == ["failed"]
    assert Job.objects.get().error_code == "system_files_changed"
    assert Prediction.objects.count() == 0


def test_another_revision_of_the_system_gets_a_run_of_its_own(team, tmp_path):
    accepted_item(team, 1)
    work_off()
    (old,) = Run.objects.all()
    add_system(tmp_path, "by-number", "by-number", config='{"trained": "longer"}')
    assert work_off() == ["done"]
    old.refresh_from_db()
    new = Run.objects.get(state="open")
    assert (old.state, old.predictions.count(), new.predictions.count()) == ("closed", 6, 6)
    assert old.system.slug == new.system.slug
    assert old.system.revision != new.system.revision


def test_what_no_protocol_asks_for_any_more_is_closed(team):
    accepted_item(team, 1)
    work_off()
    team.benchmark.protocol = None
    team.benchmark.save(update_fields=["protocol"])
    assert services.sweep_predictions() == []
    assert Run.objects.get().state == "closed"
    assert Prediction.objects.count() == 6


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
    assert (Run.objects.get().system.slug, Prediction.objects.count()) == ("tiny", 6)


def test_predictions_cannot_be_changed_or_name_a_revision_that_is_not(team):
    item = accepted_item(team, 1)
    work_off()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Prediction.objects.update(raw="x")
    invented = Prediction(run=Run.objects.get(), item=item, revision_no=9, variant="image", outcome="ok")
    with pytest.raises(DatabaseError, match="prediction_of_revision"), transaction.atomic():
        invented.save(force_insert=True)


def test_pending_is_bounded(team):
    for number in range(1, 6):
        accepted_item(team, number)
    services.open_rolling_runs()
    run = Run.objects.get()
    assert [w.revision_no for w in queries.pending(run, 3)] == [1, 1, 1]
    assert queries.count_pending(run) == 5
