"""Searching pictures in the background: what is enqueued, what is stored, and what happens when it fails."""

import hashlib
from dataclasses import replace
from uuid import uuid4

import pytest

from curation.benchmarks.models import ProtocolVersion
from curation.core.models import AuditEvent, Job
from curation.detectors import searching
from curation.detectors.boxes import Box
from curation.detectors.searching import Region
from curation.detectors.weights import WeightsMissing
from curation.images import services, tasks
from curation.images.models import Image, RegionProposal
from curation.images.rules import Region as Covered
from curation.images.services import proposing
from curation.images.services.covering import record_proposals
from curation.lib.child_process import ChildFailed, Limits
from tests import pictures
from tests.faces import drawn_face, with_faces
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def asks_for(benchmark, *targets):
    """Let a benchmark's protocol ask for proposals."""
    protocol = ProtocolVersion.objects.get(pk=benchmark.protocol_id)
    content = {**protocol.content, "images": {**protocol.content["images"], "redaction": {"propose": list(targets)}}}
    benchmark.protocol = ProtocolVersion.objects.create(
        benchmark=benchmark,
        version=protocol.version + 1,
        name=protocol.name,
        content=content,
        source_sha256=hashlib.sha256(str(targets).encode()).hexdigest(),
    )
    benchmark.save(update_fields=["protocol"])


def found(monkeypatch, result):
    """Have each search in the child process end like this, without a child."""
    calls = []

    def search(function, limits, path, target):
        calls.append(target)
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(proposing, "run_in_child", search)
    return calls


def test_a_drawn_face_is_proposed_by_a_real_search(here):
    pixels = with_faces(640, 480, [(260, 120, drawn_face(90))])
    uploaded = pictures.upload(here.contributor, pictures.encode(pixels))
    image = Image.objects.get(pk=uploaded.image_id)
    asks_for(here.benchmark, "faces", "text")
    assert services.enqueue_searches() == 1
    tasks.search_picture()
    assert Job.objects.get(task="curation.search_picture").state == "done"
    faces, texts = RegionProposal.objects.order_by("pk")
    assert (faces.detector, faces.version, faces.failed) == ("centerface-1", 1, False)
    assert (texts.detector, texts.regions) == ("pp-ocr-6", [])
    (region,) = faces.regions
    left, top, width, height = region["box"]
    assert (region["key"], region["what"]) == ("faces-0", "face")
    assert left < 260 + 117 < left + width
    assert top < 120 + 117 < top + height
    detail = signed_in(here.curator).get(f"/api/v1/images/{image.pk}/regions").json()
    assert detail["open"] == ["faces-0"]
    assert [p["failed"] for p in detail["proposals"]] == [False, False]


def test_pictures_that_were_ticked_before_the_protocol_asked_for_it_are_not_searched_and_others_once(here, monkeypatch):
    first = pictures.image(here.contributor)
    ticked = pictures.image(here.contributor, seed=2)
    Image.objects.filter(pk=ticked.pk).update(pii_clear_by=here.curator)
    asks_for(here.benchmark)
    assert services.enqueue_searches() == 0
    asks_for(here.benchmark, "faces")
    calls = found(monkeypatch, [])
    assert services.enqueue_searches() == 1
    assert services.enqueue_searches() == 0  # its job waits already
    tasks.search_picture()
    tasks.search_picture()  # a wake-up too many
    assert (calls, services.enqueue_searches()) == (["faces"], 0)
    (row,) = RegionProposal.objects.all()
    assert (row.image_id, row.regions, row.failed) == (first.pk, [], False)


def test_a_picture_that_was_ticked_before_its_search_was_queued_is_searched_after_the_others(here, monkeypatch):
    asks_for(here.benchmark, "faces")
    ticked, waits = (pictures.image(here.contributor, seed=seed) for seed in (1, 2))
    Image.objects.filter(pk=ticked.pk).update(pii_clear_by=here.curator)
    calls = found(monkeypatch, [REGION])
    monkeypatch.setattr(proposing, "MOST_QUEUED", 1)
    assert services.enqueue_searches() == 1
    tasks.search_picture()
    assert RegionProposal.objects.get().image_id == waits.pk
    assert services.enqueue_searches() == 1
    tasks.search_picture()
    ticked.refresh_from_db()
    # What was overlooked takes the tick off, as after every search.
    assert (ticked.tick, calls, services.enqueue_searches()) == ("unticked", ["faces", "faces"], 0)


def test_what_was_searched_and_then_covered_and_ticked_is_not_searched_again(here, monkeypatch):
    asks_for(here.benchmark, "faces")
    image = pictures.image(here.contributor)
    found(monkeypatch, [])
    assert services.enqueue_searches() == 1
    tasks.search_picture()
    Image.objects.filter(pk=image.pk).update(redaction_no=1, clear_no=1, pii_clear_by=here.curator)
    assert services.enqueue_searches() == 0
    # Another detector starts with what is added after it was requested.
    asks_for(here.benchmark, "faces", "text")
    assert services.enqueue_searches() == 0
    Image.objects.filter(pk=image.pk).update(pii_clear_by=None)
    assert services.enqueue_searches() == 1


REGION = Region("faces-0", "face", Box(200, 150, 120, 100), 0.9)


@pytest.mark.parametrize("ticks", ["before", "meanwhile"])
@pytest.mark.parametrize("by_whom", ["curator", "contributor"])
def test_a_tick_is_taken_off_by_what_is_detected_after_it(make_world, monkeypatch, by_whom, ticks):
    here = make_world(share="own_tick")
    image = pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    service = {"curator": services.clear_images, "contributor": services.share_images}[by_whom]

    def tick():
        mark = services.Mark(image.pk, uuid4(), 0)
        assert [r.error for r in service(actor=getattr(here, by_whom), benchmark_slug="cvlue", marks=[mark])] == [None]

    def search(*_):
        if ticks == "meanwhile":
            tick()
        return [REGION]

    monkeypatch.setattr(proposing, "run_in_child", search)
    assert services.enqueue_searches() == 1
    if ticks == "before":
        tick()
    tasks.search_picture()
    image.refresh_from_db()
    assert (image.tick, image.redaction_no) == ("unticked", 0)
    event = AuditEvent.objects.get(action="image_search")
    tick_of = {"curator": "clear", "contributor": "shared"}[by_whom]
    assert (event.target_id, event.actor_id, event.data) == (image.pk, None, {"redaction_no": 0, "tick": tick_of})
    held = services.hold_to_cover(actor=here.curator, benchmark_slug="cvlue", size=5)
    assert held.image_ids == [image.pk]


@pytest.mark.parametrize(("score", "tick"), [(0.59, "clear"), (0.6, "unticked")])
def test_a_tick_is_taken_off_only_by_what_the_detector_is_sure_of(here, score, tick):
    image = pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    marks = [services.Mark(image.pk, uuid4(), 0)]
    services.clear_images(actor=here.curator, benchmark_slug="cvlue", marks=marks)
    region = {"key": "faces-0", "box": [9, 9, 60, 60], "what": "face", "score": score}
    assert record_proposals(image_id=image.pk, version=1, detector="centerface-1", regions=[region])
    image.refresh_from_db()
    assert image.tick == tick
    assert RegionProposal.objects.get(image=image).regions == [region]


def test_a_tick_stays_if_nothing_is_left_to_decide_on(here, monkeypatch):
    image = pictures.image(here.contributor)
    asks_for(here.benchmark, "faces", "text")
    results = iter([[], [replace(REGION, key="text-0", what="plate")]])
    monkeypatch.setattr(proposing, "run_in_child", lambda *_: next(results))
    services.enqueue_searches()
    statue = Covered("a", (200, 150, 120, 100), "face", "exempt", "a statue")
    services.cover_image(actor=here.curator, image_id=image.pk, no=0, regions=[statue], client_key=uuid4())
    marks = [services.Mark(image.pk, uuid4(), 0)]
    services.clear_images(actor=here.curator, benchmark_slug="cvlue", marks=marks)
    tasks.search_picture()
    image.refresh_from_db()
    assert (image.tick, image.pii_clear_by) == ("clear", here.curator)
    assert RegionProposal.objects.count() == 2
    assert not AuditEvent.objects.filter(action="image_search").exists()


def test_another_detector_in_the_protocol_searches_what_was_searched_before(here, monkeypatch):
    pictures.image(here.contributor)
    calls = found(monkeypatch, [])
    asks_for(here.benchmark)
    assert searches_of(here) == ([], [])
    asks_for(here.benchmark, "faces")
    assert searches_of(here) == (["faces"], ["faces"])
    services.enqueue_searches()
    tasks.search_picture()
    asks_for(here.benchmark, "faces", "text")
    assert searches_of(here) == (["faces", "text"], ["text"])
    assert services.enqueue_searches() == 1
    tasks.search_picture()
    assert calls == ["faces", "text"]
    assert searches_of(here) == (["faces", "text"], [])


def searches_of(here):
    """What detectors look for in the only picture, and what none has looked for, as its page shows them."""
    detail = signed_in(here.curator).get(f"/api/v1/images/{Image.objects.get().pk}/regions").json()
    return detail["searches"], detail["pending"]


@pytest.mark.parametrize("fault", [ChildFailed("exit code -9"), RuntimeError("bad allocation")])
def test_a_search_that_fails_is_stored_as_failed_and_not_repeated(here, monkeypatch, fault):
    image = pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    calls = found(monkeypatch, fault)
    services.enqueue_searches()
    tasks.search_picture()
    assert Job.objects.get(task="curation.search_picture").state == "done"
    assert (calls, services.enqueue_searches()) == (["faces"], 0)
    (proposal,) = signed_in(here.curator).get(f"/api/v1/images/{image.pk}/regions").json()["proposals"]
    assert (proposal["failed"], proposal["regions"]) == (True, [])


def test_the_child_process_is_stopped_at_its_limits(here, monkeypatch):
    pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    monkeypatch.setattr(proposing, "SEARCH_LIMITS", Limits(processor_seconds=60, seconds=0.05, memory=4_000_000_000))
    services.enqueue_searches()
    tasks.search_picture()
    assert RegionProposal.objects.get().failed


def test_missing_weights_are_no_result(here, monkeypatch):
    pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    found(monkeypatch, WeightsMissing("run `make setup`"))
    services.enqueue_searches()
    tasks.search_picture()
    job = Job.objects.get(task="curation.search_picture")
    assert (job.state, "make setup" in job.log) == ("queued", True)
    assert not RegionProposal.objects.exists()


def test_boxes_end_at_the_edge_of_the_picture_and_can_be_covered(here, monkeypatch):
    image = pictures.image(here.contributor)
    asks_for(here.benchmark, "faces")
    beyond = Box(image.width - 60.4, image.height - 50.2, 60.9, 50.7)
    found(monkeypatch, [Region("faces-0", "face", beyond, 0.9), Region("faces-1", "face", Box(-2.5, -1, 30, 40), 0.8)])
    services.enqueue_searches()
    tasks.search_picture()
    corner, origin = RegionProposal.objects.get().regions
    assert corner["box"] == [image.width - 61, image.height - 51, 61, 51]
    assert origin["box"] == [0, 0, 28, 39]
    regions = [
        {"key": r["key"], "box": r["box"], "what": "face", "how": "pixelate", "reason": "", "origin": "proposed"}
        for r in (corner, origin)
    ]
    body = {"no": 0, "regions": regions, "client_key": str(uuid4())}
    answer = signed_in(here.curator).post(f"/api/v1/images/{image.pk}/cover", body, content_type="application/json")
    assert answer.status_code == 200, answer.json()
    # The new version is searched again until somebody ticks it.
    assert services.enqueue_searches() == 1


def test_every_name_in_the_protocol_has_a_detector():
    assert set(searching.DETECTORS) == {"faces", "text"}
