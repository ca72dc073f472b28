"""Adding systems under test: from a folder, from the records that ship, from a model hub, on a model server."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from PIL import Image

from curation.core import audit, jobs
from curation.core.decisions import Decision
from curation.core.errors import DomainError
from curation.core.models import Job
from curation.core.stores.space import disk_full_as_error, require_space
from curation.people.models import Person
from curation.prompts.rules import Message
from curation.wire.errors import shorten
from curation.wire.servers import ModelServer
from evaluation.backends.asks import Ask, Decoding, Generator
from evaluation.backends.base import Embedder
from evaluation.backends.errors import BackendFilesUnfit, ModelServerAnswerUnfit
from evaluation.backends.files import digest, fingerprint, manifest, millions_of_parameters
from evaluation.backends.registry import (
    BACKENDS,
    CHAT,
    MODELS,
    SERVED,
    SERVERS,
    open_hub,
    open_served,
    release_language_models,
)
from evaluation.backends.serving import ChatModel, ServedModel, identity
from evaluation.systems import queries
from evaluation.systems.errors import (
    CodeNeedsCommit,
    SystemCodeDiffers,
    SystemFetchBusy,
    SystemFilesChanged,
    SystemHasNoBackend,
    SystemNotOnHub,
    SystemRevisionTaken,
    SystemSlugTaken,
)
from evaluation.systems.models import System
from evaluation.systems.rules import RUNS_CODE, SystemRecord, is_commit, loading_parameters

if TYPE_CHECKING:
    from evaluation.backends.served import ServedEmbedder

log = logging.getLogger(__name__)

_WORD = "花灯"  # what a system is tried with

MAIN = "main"  # the branch that a repository shows first
_KIB = 1024
_REPORT_EVERY = 1.0  # seconds between reports of a download's progress


@transaction.atomic
def add_system(record: SystemRecord, *, runs_code: bool = False, actor_id: int | None = None) -> System:
    """Add a system, or return it if it was added before.

    The row names its files by their content, so that a run never mixes two states of them; without a revision's name
    the first twelve digits of that number serve as one.

    Args:
        record: Its description, and where its folder is.
        runs_code: Whether an owner let this revision run code of its own.
        actor_id: Who requested it; None for the application itself and the command line.

    Raises:
        UnknownEntry: There is no such backend.
        BackendFilesUnfit: The folder is missing or holds no model.
        ModelServerUnknown: It is a language model on a server that is not set up.
        SystemRevisionTaken: The revision exists and was made of other files.
    """
    BACKENDS[record.backend]  # refuses an unknown name
    if record.backend == CHAT:
        return _add_chat_model(record, actor_id)
    folder = queries.folder_of(record.locator)
    files = manifest(folder, code=runs_code)
    described = record.model_dump(mode="json", by_alias=True, exclude={"slug", "revision"})
    if described["size_millions"] is None:
        described["size_millions"] = millions_of_parameters(folder)
    made_of = {"files": files, "files_sha256": digest(files), "runs_code": runs_code}
    return _get_or_create(record, {**described, **made_of}, actor_id)


def _add_chat_model(record: SystemRecord, actor_id: int | None) -> System:
    """Add a language model on a server; it is known by the server's name, the model's and the tokenizer's files."""
    server = queries.server_of(record.locator, or_hosted=True)
    model = ChatModel.model_validate(loading_parameters(record.parameters))
    tokenizer = fingerprint(queries.folder_of(model.tokenizer), weights=False) if model.tokenizer else ""
    made_of = {**record.parameters, **({"tokenizer_sha256": tokenizer} if tokenizer else {})}
    described = record.model_dump(mode="json", by_alias=True, exclude={"slug", "revision"})
    return _get_or_create(record, {**described, "files": [], "files_sha256": identity(server.name, made_of)}, actor_id)


def _get_or_create(record: SystemRecord, fields: dict[str, Any], actor_id: int | None) -> System:
    """The row of a system with this slug and revision, created if there is none.

    Raises:
        SystemRevisionTaken: The revision exists and is something else.
    """
    sha256 = fields["files_sha256"]
    system, made = System.objects.get_or_create(
        slug=record.slug, revision=record.revision or sha256[:12], defaults=fields
    )
    if system.files_sha256 != sha256:
        raise SystemRevisionTaken(slug=system.slug, revision=system.revision)
    if made:
        audit.record(
            action="system_add",
            target_type="system",
            target_id=system.pk,
            label=system.slug,
            actor_id=actor_id,
            benchmark_id=None,
            data={
                "slug": system.slug,
                "revision": system.revision,
                "files_sha256": sha256,
                "runs_code": system.runs_code,
            },
        )
    return system


def ensure_fixture_systems() -> list[System]:
    """Add the systems whose files ship with the software; a second call finds them.

    One whose files are missing is left out with a line in the log, so that a checkout without its model still starts.
    Systems on a model hub are fetched only on request.
    """
    systems = []
    for record in queries.records().values():
        if not record.locator or record.backend in (SERVED, CHAT):
            continue
        try:
            systems.append(add_system(record))
        except BackendFilesUnfit as error:
            log.warning("%s is left out: %s", record.slug, error)
    return systems


def check_system(record: SystemRecord, *, runs_code: bool = False) -> None:
    """Load a system once and embed a word, or reply to it, so that unfit files are refused before they are added.

    Raises:
        DomainError: The files cannot be run.
    """
    try:
        if (load := BACKENDS[record.backend].open_generator) is not None:
            _check_generator(load(queries.folder_of(record.locator), loading_parameters(record.parameters)))
        else:
            embedder = _open(record.backend, record.locator, record.parameters, runs_code=runs_code)
            embedder.embed_texts([_WORD])
    except DomainError:
        raise
    except Exception as error:
        raise BackendFilesUnfit(
            folder=Path(record.locator).name, reason=shorten(f"{type(error).__name__}: {error}", 300)
        ) from error


def _check_generator(generator: Generator) -> None:
    try:
        generator.generate([Ask((Message("user", (_WORD,)),))], Decoding(max_tokens=1))
    finally:
        release_language_models()


def open_system(system: System) -> Embedder:
    """Load a system that was added, with code of its own only where an owner let this revision run it.

    Raises:
        SystemFilesChanged: The files are not those that were added.
        BackendFilesUnfit: They are away, or the backend cannot run them.
        ModelServerUnknown: It is on a model server that is no longer set up.
    """
    if system.backend == SERVED:
        return _served(queries.server_of(system.locator), ServedModel.model_validate(system.parameters))
    if fingerprint(queries.folder_of(system.locator), code=system.runs_code) != system.files_sha256:
        raise SystemFilesChanged(slug=system.slug, revision=system.revision)
    return _open(system.backend, system.locator, system.parameters, runs_code=system.runs_code)


def _open(backend: str, locator: str, parameters: Mapping[str, Any], *, runs_code: bool) -> Embedder:
    loading = loading_parameters(parameters) | ({RUNS_CODE: True} if runs_code else {})
    load = BACKENDS[backend].open_embedder
    if load is None:
        raise BackendFilesUnfit(folder=Path(locator).name, reason=f"{backend} makes no vectors from a folder")
    return load(queries.folder_of(locator), loading)


def _served(server: ModelServer, model: ServedModel) -> ServedEmbedder:
    return open_served(
        server,
        model,
        parallel=settings.MODEL_SERVER_REQUESTS_AT_ONCE,
        seconds=settings.MODEL_SERVER_SECONDS,
        retries=settings.MODEL_SERVER_RETRIES,
    )


# --- Fetching ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def request_fetch(
    *, actor: Person, system_slug: str, client_key: UUID, revision: str = MAIN, allow_code: bool = False
) -> Job:
    """Have a worker of the queue ``gpu`` fetch a revision of a system, since that is where its files are needed.

    Args:
        actor: An owner of the site.
        system_slug: Which system.
        client_key: The command's key; a repeat finds the same job.
        revision: A branch, a tag, a pull request's ref or a commit.
        allow_code: Let this one commit run code of its own.

    Returns:
        The job, also when it was on its way already.

    Raises:
        NotFound: Nobody ever described such a system.
        SystemHasNoBackend, SystemNotOnHub: There is nothing that could be fetched and run.
        CodeNeedsCommit: Code was allowed for something else than a full commit.
        SystemCodeDiffers: The commit is here, with the other answer about its code.
        SystemFetchBusy: Another revision is on its way.
    """
    record = queries.record_of(system_slug)
    args = {"slug": system_slug, "revision": revision, "allow_code": allow_code}
    decision = Decision(actor_id=actor.pk, action="system_fetch", client_key=client_key, label=system_slug)
    if earlier := decision.earlier(**args):
        return Job.objects.get(pk=earlier.target_id)
    if not record.backend:
        raise SystemHasNoBackend(slug=system_slug)
    if not record.hub_id:
        raise SystemNotOnHub(slug=system_slug)
    if allow_code and not is_commit(revision):
        raise CodeNeedsCommit
    _refuse_other_code(system_slug, revision, runs_code=allow_code)
    job = jobs.enqueue(
        task=queries.FETCH, args=args, dedupe_key=queries.fetch_key(system_slug), queue=MODELS, actor_id=actor.pk
    )
    if job.args != args:
        raise SystemFetchBusy(slug=system_slug, revision=job.args.get("revision", ""))
    decision.row = job
    decision.record(**args, hub_id=record.hub_id)
    return job


def fetch_system(lease: jobs.Lease) -> None:
    """Fetch a revision's files, see that they load, and add it; a job's handler, safe to run again at any point.

    Progress counts KiB, because a column of bytes would end at two gigabytes.

    Raises:
        LeaseLost: Another worker has the job.
        HubUnreachable, HubNotFound, HubGated, HubNoWeights, HubFileAltered: The files cannot be had.
        StorageFull: The disk of models is full; the job waits until it has room.
        BackendFilesUnfit: They cannot be run.
        SystemCodeDiffers, SystemRevisionTaken: The commit is here in another form.
    """
    slug, code = lease.args["slug"], lease.args["allow_code"]
    record = queries.record_of(slug)
    hub = open_hub(settings.HF_ENDPOINT)
    snapshot = hub.resolve(record.hub_id, lease.args["revision"], code=code)
    _refuse_other_code(slug, snapshot.commit, runs_code=code)
    locator = f"{slug}/{snapshot.commit}"
    folder = settings.MODEL_DIRS[0] / locator
    with disk_full_as_error("models"):
        hub.fetch(snapshot, folder, _Reporter(lease), partial(require_space, disk="models"))
    fetched = record.model_copy(update={"locator": locator, "revision": snapshot.commit})
    check_system(fetched, runs_code=code)
    with transaction.atomic():
        add_system(fetched, runs_code=code, actor_id=lease.job.actor_id)
        # In the same transaction, so that a worker without its lease adds nothing.
        lease.progress(lease.job.total, lease.job.total)


# --- On a model server ------------------------------------------------------------------------------------------------


@transaction.atomic
def request_serve(*, actor: Person, record: SystemRecord, client_key: UUID) -> Job:
    """Have a worker ask a model server what it serves, and add that; web processes need not reach it, and never do.

    Asking again adds a revision where anything changed, and finds the same row where nothing did.

    Args:
        actor: An owner of the site.
        record: What is known of it: ``locator`` is the server's name, ``parameters`` those of :class:`ServedModel`.
        client_key: The command's key; a repeat finds the same job.

    Returns:
        The job, also when it was on its way already.

    Raises:
        ModelServerUnknown: No such server is set up.
        SystemSlugTaken: The name belongs to a system that is run from files.
        SystemFetchBusy: Something else is on its way under the name.
    """
    summary = {"slug": record.slug, "server": record.locator, "model": record.parameters.get("model", "")}
    decision = Decision(actor_id=actor.pk, action="system_serve", client_key=client_key, label=record.slug)
    if earlier := decision.earlier(**summary):
        return Job.objects.get(pk=earlier.target_id)
    queries.server_of(record.locator)
    _refuse_other_backend(record.slug)
    args = {"record": record.model_dump(mode="json", by_alias=True)}
    job = jobs.enqueue(
        task=queries.SERVE, args=args, dedupe_key=queries.fetch_key(record.slug), queue=SERVERS, actor_id=actor.pk
    )
    if job.args != args:
        raise SystemFetchBusy(slug=record.slug, revision=job.args.get("revision", ""))
    decision.row = job
    decision.record(**summary)
    return job


def serve_system(lease: jobs.Lease) -> None:
    """Ask the server what it serves, embed a picture and a word with it, and add it; a job's handler.

    Raises:
        LeaseLost: Another worker has the job.
        ModelServerUnknown, ModelServerUnreachable, ModelServerRefused, ModelNotServed: The server cannot be asked.
        ModelServerAnswerUnfit: Pictures and texts do not come back as vectors of one space.
        SystemRefusedInput: It does not take a plain picture or a word, as it is to be asked.
        SystemSlugTaken, SystemRevisionTaken.
    """
    record = SystemRecord.model_validate(lease.args["record"])
    lease.progress(0, 1)
    model = ServedModel.model_validate(record.parameters)
    server = queries.server_of(record.locator)
    facts = _served(server, model).fetch_facts()
    model = model.model_copy(update={"model": str(facts["model"]), "facts": facts})
    embedder = _served(server, model)
    pictures, texts = embedder.embed_images([Image.new("RGB", (64, 64), "grey")]), embedder.embed_texts(["花灯"])
    if pictures.shape != texts.shape:
        reason = f"{pictures.shape[1]} numbers for a picture, {texts.shape[1]} for a text"
        raise ModelServerAnswerUnfit(server=server.name, reason=reason)
    parameters = model.with_facts(facts, pictures.shape[1]).model_dump(mode="json")
    with transaction.atomic():
        _refuse_other_backend(record.slug)
        described = record.model_dump(mode="json", by_alias=True, exclude={"slug", "revision"})
        made_of = {"parameters": parameters, "files": [], "files_sha256": identity(server.name, parameters)}
        _get_or_create(record, {**described, **made_of}, lease.job.actor_id)
        lease.progress(1, 1)


def _refuse_other_backend(slug: str) -> None:
    """Refuse a name under which files are run here.

    Raises:
        SystemSlugTaken: It is one.
    """
    shipped = queries.records().get(slug)
    of_files = shipped is not None and shipped.backend not in ("", SERVED)
    if of_files or System.objects.filter(slug=slug).exclude(backend=SERVED).exists():
        raise SystemSlugTaken(slug=slug)


class _Reporter:
    """Passes progress on once a second, and at the first and the last piece."""

    def __init__(self, lease: jobs.Lease) -> None:
        self.lease = lease
        self.reported_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - self.reported_at >= _REPORT_EVERY:
            self.reported_at = now
            self.lease.progress(-(-done // _KIB), -(-total // _KIB))


def _refuse_other_code(slug: str, revision: str, *, runs_code: bool) -> None:
    """Refuse a commit that is here already with the other answer about its code.

    Raises:
        SystemCodeDiffers: It is.
    """
    if System.objects.filter(slug=slug, revision=revision).exclude(runs_code=runs_code).exists():
        raise SystemCodeDiffers(slug=slug, revision=revision)
