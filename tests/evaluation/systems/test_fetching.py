"""A fetch from the owner's word to a system that embeds, against a hub on this machine."""

import errno
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from django.utils import timezone

from curation.core import jobs
from curation.core.models import AuditEvent, Job
from curation.prompts.rules import Message
from evaluation.backends import vision_language
from evaluation.backends.asks import Ask, Decoding
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.files import sha256_of
from evaluation.backends.registry import BACKENDS
from evaluation.systems import queries, services
from evaluation.systems.errors import SystemFilesChanged
from evaluation.systems.models import System
from tests.evaluation.backends.checkpoints import write_chinese_clip, write_clip, write_clip_with_code
from tests.evaluation.backends.tiny_models import write_llava
from tests.evaluation.hub_server import COMMIT, HubServer, Repository
from tests.people import Role, key, person
from tests.shared import shared

pytestmark = pytest.mark.django_db

RECORD = """
slug: {slug}
name: Tiny
description: {{zh-Hans: 甲, zh-Hant: 甲, en: a}}
backend: {backend}
hub_id: org/{slug}
capabilities: [{capability}]
languages: [zh-Hans]
licence: MIT
"""
WRITERS = {
    "tiny-clip": write_clip,
    "tiny-zh-clip": write_chinese_clip,
    "own-clip": write_clip_with_code,
    "tiny-llava": write_llava,
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """Tiny random models as the hub holds them, a pickle beside each."""
    made = {slug: write(tmp_path_factory.mktemp(slug)) for slug, write in WRITERS.items()}
    for folder in made.values():
        (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    return made


@pytest.fixture
def hub(checkpoints, settings, tmp_path, monkeypatch):
    settings.FIXTURES, settings.MODEL_DIRS = tmp_path, [tmp_path / "models", tmp_path / "shipped"]
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    (tmp_path / "systems").mkdir()
    for slug in WRITERS:
        backend, can = ("clip", "embed") if slug.endswith("clip") else ("language_model", "generate, likelihood")
        text = RECORD.format(slug=slug, backend=backend, capability=can)
        (tmp_path / "systems" / f"{slug}.yaml").write_text(text, encoding="utf-8")
    with HubServer({f"org/{slug}": Repository.of(folder) for slug, folder in checkpoints.items()}) as running:
        settings.HF_ENDPOINT = running.address
        yield running


@shared
def head():
    return person("head", None, Role.OWNER)


def fetch(head, slug, **more) -> Job:
    job = services.request_fetch(actor=head, system_slug=slug, client_key=key(), **more)
    jobs.run(job.pk, services.fetch_system)
    job.refresh_from_db()
    return job


def test_models_leave_the_disks_floor_free(hub, head, settings):
    settings.MEDIA_FLOOR_BYTES = 10**18
    job = fetch(head, "tiny-clip")
    assert (job.state, job.error_code) == ("queued", "storage_full")
    assert (job.error_params["disk"], job.error_params["free"], job.error_params["needed"] > 0) == ("models", 0, True)
    assert not list((settings.MODEL_DIRS[0] / "tiny-clip").rglob("*.safetensors"))
    hub.asked.clear()
    assert (jobs.run(job.pk, services.fetch_system), hub.asked) == ("lost", [])  # not claimed before there is space
    settings.MEDIA_FLOOR_BYTES = 0
    assert jobs.run(job.pk, services.fetch_system) == "done"


def test_a_disk_of_models_that_fills_up_meanwhile_is_full_too(hub, head, monkeypatch):
    def full(reporter, done, total):
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(services._Reporter, "__call__", full)
    job = fetch(head, "tiny-clip")
    assert (job.state, job.error_code, job.error_params["disk"]) == ("queued", "storage_full", "models")
    assert job.error_params["needed"] == job.error_params["free"] + 1


def test_from_the_owners_word_to_a_reply(hub, head, settings):
    job = fetch(head, "tiny-llava")
    assert (job.state, job.error_code) == ("done", "")
    system = System.objects.get()
    assert (system.slug, system.revision, system.capabilities) == ("tiny-llava", COMMIT, ["generate", "likelihood"])
    assert vision_language._held == {}  # it was tried, and holds no memory since
    generator = BACKENDS["language_model"].open_generator(queries.folder_of(system.locator), {})
    (reply,) = generator.generate([Ask((Message("user", ("你好",)),))], Decoding(max_tokens=3))
    assert reply.tokens_out <= 3
    with pytest.raises(BackendFilesUnfit, match="makes no vectors"):
        services.open_system(system)


def test_a_model_too_large_for_the_worker_is_not_added(hub, head, monkeypatch):
    monkeypatch.setattr(vision_language, "free_bytes", lambda device: 1000)
    job = fetch(head, "tiny-llava")
    assert (job.state, job.error_code, System.objects.count()) == ("failed", "model_too_large", 0)


@pytest.mark.parametrize("slug", ["tiny-clip", "tiny-zh-clip"])
def test_from_the_owners_word_to_vectors(hub, head, checkpoints, settings, slug):
    assert queries.show_system(head, slug)["state"] == "not_fetched"
    job = fetch(head, slug)
    assert (job.state, job.error_code) == ("done", "")
    assert job.done == job.total > 0
    system = System.objects.get()
    assert (system.slug, system.revision, system.hub_id, system.licence) == (slug, COMMIT, f"org/{slug}", "MIT")
    folder = settings.MODEL_DIRS[0] / slug / COMMIT
    assert {f["name"] for f in system.files} == {f.name for f in folder.iterdir()}
    assert "pytorch_model.bin" not in {f["name"] for f in system.files}
    for file in system.files:
        there = checkpoints[slug] / file["name"]
        assert (file["bytes"], file["sha256"]) == (there.stat().st_size, sha256_of(there))
    assert (system.runs_code, system.locator) == (False, f"{slug}/{COMMIT}")
    assert system.size_millions == pytest.approx(0.1, abs=0.1)
    event = AuditEvent.objects.get(action="system_add")
    assert (event.actor_id, event.target_id, event.data["revision"]) == (head.pk, system.pk, COMMIT)
    assert queries.show_system(head, slug)["state"] == "ready"
    assert np.linalg.norm(services.open_system(system).embed_texts(["灯笼"])) == pytest.approx(1, abs=1e-5)


def test_a_fetch_again_finds_everything_and_adds_nothing(hub, head):
    fetch(head, "tiny-clip")
    hub.asked.clear()
    assert fetch(head, "tiny-clip", revision=COMMIT).state == "done"
    assert hub.fetched("model.safetensors") == []
    assert System.objects.count() == AuditEvent.objects.filter(action="system_add").count() == 1


def test_a_worker_that_died_is_followed_by_one_that_goes_on(hub, head, monkeypatch):
    job = services.request_fetch(actor=head, system_slug="tiny-clip", client_key=key())
    real = services._Reporter.__call__

    def dies(reporter, done, total):
        if done > 100_000:
            raise SystemExit
        real(reporter, done, total)

    monkeypatch.setattr(services._Reporter, "__call__", dies)
    with pytest.raises(SystemExit):
        jobs.run(job.pk, services.fetch_system)
    assert System.objects.count() == 0
    assert queries.show_system(head, "tiny-clip")["state"] == "fetching"
    monkeypatch.setattr(services._Reporter, "__call__", real)
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    hub.asked.clear()
    assert jobs.run(job.pk, services.fetch_system) == "done"
    (resumed,) = hub.fetched("model.safetensors")
    assert resumed.startswith("bytes=")
    assert queries.show_system(head, "tiny-clip")["state"] == "ready"


def test_progress_is_reported_once_a_second_and_at_the_end(monkeypatch):
    reports, seconds = [], iter([100.0, 100.9, 101.0, 101.9, 101.95])
    monkeypatch.setattr(services, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    reporter = services._Reporter(SimpleNamespace(progress=lambda done, total: reports.append((done, total))))
    for done in (1, 2_048, 2_049, 3_200, 4_097):
        reporter(done, 4_097)
    assert reports == [(1, 5), (3, 5), (5, 5)]


def test_a_failed_fetch_says_why_and_can_be_asked_again(hub, head):
    hub.alter["tokenizer.json"] = b"{}"
    job = fetch(head, "tiny-zh-clip")
    assert (job.state, job.error_code, job.error_params["file"]) == ("failed", "hub_file_altered", "tokenizer.json")
    assert (System.objects.count(), queries.show_system(head, "tiny-zh-clip")["state"]) == (0, "failed")
    hub.alter.clear()
    assert fetch(head, "tiny-zh-clip").state == "done"


def test_what_does_not_load_is_never_added(hub, head):
    hub.repositories["org/tiny-clip"].files["config.json"] = b'{"model_type": "bert"}'
    job = fetch(head, "tiny-clip")
    assert (job.state, job.error_code) == ("failed", "backend_files_unfit")
    assert System.objects.count() == 0


def test_code_runs_for_the_one_commit_that_an_owner_named(hub, head, settings):
    job = fetch(head, "own-clip")
    assert (job.state, job.error_code) == ("failed", "backend_files_unfit")
    assert not list((settings.MODEL_DIRS[0] / "own-clip" / COMMIT).glob("*.py"))
    assert fetch(head, "own-clip", revision=COMMIT, allow_code=True).state == "done"
    system = System.objects.get()
    assert system.runs_code
    assert "own_clip.py" in {f["name"] for f in system.files}
    asked = AuditEvent.objects.filter(action="system_fetch").latest("pk")
    assert (asked.actor_id, asked.data["allow_code"], asked.data["revision"]) == (head.pk, True, COMMIT)
    assert AuditEvent.objects.get(action="system_add").data["runs_code"] is True
    assert services.open_system(system).describe()["model_type"] == "own_clip"
    # The branch's next commit is asked about anew: it comes without code, and does not load.
    hub.repositories["org/own-clip"].commit = "f" * 40
    assert fetch(head, "own-clip").error_code == "backend_files_unfit"
    assert System.objects.count() == 1
    # Whoever changes the code afterwards has made another system of it.
    module = settings.MODEL_DIRS[0] / "own-clip" / COMMIT / "own_clip.py"
    module.write_text(module.read_text() + "# changed")
    with pytest.raises(SystemFilesChanged):
        services.open_system(system)


def test_a_commit_that_came_with_its_code_is_not_fetched_without(hub, head):
    fetch(head, "own-clip", revision=COMMIT, allow_code=True)
    job = fetch(head, "own-clip")  # main, which is that commit
    assert (job.state, job.error_code) == ("failed", "system_code_differs")
    assert System.objects.get().runs_code
