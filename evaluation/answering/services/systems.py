"""Finding a system by its name and loading it; a shipped record or a file of one needs no database."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from django.conf import settings
from django.db import DatabaseError

from curation.benchmarks.models import Benchmark
from curation.calls.models import Call
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.asking.services import open_generator, probe_pictures
from evaluation.backends.asks import Generator, Ranker
from evaluation.backends.base import Embedder
from evaluation.backends.errors import BackendFilesUnfit
from evaluation.backends.files import fingerprint
from evaluation.backends.registry import BACKENDS, CHAT, SERVED, open_server_ranker
from evaluation.backends.serving import ChatModel, refuse_hosted
from evaluation.suites.rules import CAPABILITIES, Entry, Means, Setting, Suite
from evaluation.systems import queries
from evaluation.systems.models import System
from evaluation.systems.rules import BOX_FORM, RUNS_CODE, SystemRecord, loading_parameters
from evaluation.systems.services import open_system

Part: TypeAlias = Literal["generator", "ranker", "embedder"]
"""What is loaded of a system: what replies, what ranks given replies, what embeds."""


_PARTS: Final[Mapping[Means, Part]] = {"text": "generator", "likelihood": "ranker", "similarity": "embedder"}


class Spent(NamedTuple):
    """What calls cost; no currency where nothing is paid."""

    amount: Decimal = Decimal(0)
    currency: str = ""


@dataclass(frozen=True, slots=True)
class AnsweringSystem:
    """A system that was found and not loaded yet.

    Attributes:
        slug: Its name.
        capabilities: What it can do.
        facts: What identifies it in the journal.
        open_generator: Loads it as one that replies; None if it cannot.
        open_ranker: Loads it as one that ranks replies; None if it cannot.
        open_embedder: Loads it as one that embeds; None if it cannot.
        refuse: Refuses parts that cannot be loaded, before anything is loaded or sent.
        probe_pictures: Checks that what replies reads pictures, before questions with pictures are sent.
        take_spent: Returns what its calls cost since this was called before.
    """

    slug: str
    capabilities: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    open_generator: Callable[[], Generator] | None = None
    open_ranker: Callable[[], Ranker] | None = None
    open_embedder: Callable[[], Embedder] | None = None
    refuse: Callable[[Collection[Part]], None] = lambda _parts: None
    probe_pictures: Callable[[], None] = lambda: None
    take_spent: Callable[[], Spent] = Spent

    @property
    def box_form(self) -> str:
        """How it writes boxes; empty if its record does not say."""
        return str(self.facts.get("parameters", {}).get(BOX_FORM, ""))

    def describe(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return what it is run with: the loaded parts' own facts, and the versions of their packages."""
        packages = BACKENDS[self.facts["backend"]].packages if self.facts.get("backend") in BACKENDS else ()
        return {**parts, "packages": {name: version(name) for name in packages}}

    def means(self, suite: Suite, setting: Setting, requested: str | None) -> Means:
        """Return how the system answers a setting: as requested, else the first way that it is capable of.

        Raises:
            AnswerRefused: It cannot, or not in that way.
        """
        if requested is not None and requested not in setting.means:
            known = ", ".join(setting.means)
            raise AnswerRefused("system_not_for_suite", f"{suite.name} in {setting.name} is answered by {known}")
        for means in setting.means:
            if means == (requested or means) and CAPABILITIES[means] in self.capabilities:
                return means
        if (requested or setting.means[0]) == "likelihood" and "generate" in self.capabilities:
            reason = f"{self.slug} gives no log-probabilities, which {suite.name} in {setting.name} needs"
            raise AnswerRefused("no_logprobs", reason)
        needed = CAPABILITIES[requested] if requested else " or ".join(CAPABILITIES[one] for one in setting.means)
        has = ", ".join(self.capabilities) or "nothing"
        raise AnswerRefused("system_not_for_suite", f"{suite.name} needs {needed}; {self.slug} has {has}")

    def parts(self, means: Means, suite: Suite, entries: Iterable[Entry]) -> frozenset[Part]:
        """Return what has to be loaded to answer entries: a ranker ranks options, others are answered in text.

        Raises:
            AnswerRefused: The system, or its backend, cannot do it.
            DomainError: Its server is not one that can.
        """
        parts: set[Part] = {_PARTS[means]}
        if means == "likelihood" and not all(entry.options for entry in entries):
            if CAPABILITIES["text"] not in self.capabilities:
                reason = f"{suite.name} also has questions without options, which {self.slug} cannot answer in text"
                raise AnswerRefused("system_not_for_suite", reason)
            parts.add("generator")
        openers = {"generator": self.open_generator, "ranker": self.open_ranker, "embedder": self.open_embedder}
        if any(openers[part] is None for part in parts):
            raise AnswerRefused("system_not_for_suite", "the system's backend cannot answer in this way")
        self.refuse(parts)
        return frozenset(parts)


def find(name: str, benchmark: str | None = None) -> AnsweringSystem:
    """Return a system by the path of its record, by its name among the shipped ones, or as it was added to the site.

    Args:
        name: The path or the name.
        benchmark: The benchmark of the site that pays for replies of a model on a server.

    Raises:
        AnswerRefused: There is none, or nothing here can run it.
        DomainError: Its files are missing or are not those that were added.
    """
    file = Path(name)
    if file.suffix in (".yaml", ".yml"):
        if not file.is_file():
            raise AnswerRefused("system_unknown", f"there is no file {name}")
        return _of_record(queries.read_record(file), benchmark)
    record = queries.records().get(name)
    if record is not None and record.backend and record.locator:
        return _of_record(record, benchmark)
    try:
        added = queries.newest_by_slug([name]).get(name)
    except DatabaseError as error:
        reason = "is described, but has no files here" if record else "does not ship with the software"
        raise AnswerRefused(
            "system_unknown",
            f"{name} {reason}, and the site's database, where added systems are, cannot be reached "
            f"({type(error).__name__}). A record's own file, MODEL.yaml, needs none",
        ) from error
    if added is not None:
        return of_row(added, benchmark)
    if record is not None:
        raise AnswerRefused("system_not_here", f"{name} is described, but was never fetched or added here")
    known = ", ".join(sorted(slug for slug, one in queries.records().items() if one.backend and one.locator))
    raise AnswerRefused("system_unknown", f"there is no system {name}; without being added there are {known}")


def _of_record(record: SystemRecord, benchmark: str | None) -> AnsweringSystem:
    if record.backend == CHAT:
        return _on_server(record, benchmark)
    if record.backend == SERVED:
        raise AnswerRefused("system_not_here", f"{record.slug} embeds on a server: it is added on the site first")
    folder = queries.folder_of(record.locator)
    facts = {
        "slug": record.slug,
        "revision": record.revision or "",
        "backend": record.backend,
        "files": fingerprint(folder),
        "parameters": record.parameters,
    }
    return _opened(record.slug, record.backend, folder, dict(record.parameters), record.capabilities, facts)


def of_row(system: System, benchmark: str | None = None) -> AnsweringSystem:
    """Return a system that was added to the site.

    Args:
        system: The system.
        benchmark: The benchmark that pays for replies of a model on a server.

    Raises:
        DomainError: Its files are missing or are not those that were added.
    """
    if system.backend == CHAT:
        return _on_server(system, benchmark)
    facts = {
        "slug": system.slug,
        "revision": system.revision,
        "backend": system.backend,
        "files": system.files_sha256,
        "parameters": system.parameters,
    }
    if system.backend == SERVED:
        server = queries.server_of(system.locator)
        capabilities = tuple(system.capabilities)
        facts |= {"server": server.name}
        return AnsweringSystem(system.slug, capabilities, facts, open_embedder=partial(open_system, system))
    folder = queries.folder_of(system.locator)
    if fingerprint(folder, code=system.runs_code) != system.files_sha256:
        raise BackendFilesUnfit(folder=folder.name, reason="its files are not those that were added")
    parameters = dict(system.parameters) | ({RUNS_CODE: True} if system.runs_code else {})
    return _opened(system.slug, system.backend, folder, parameters, tuple(system.capabilities), facts)


def _on_server(record: SystemRecord | System, benchmark: str | None) -> AnsweringSystem:
    """A language model on a server: a benchmark pays for its replies, ranking costs nothing."""
    server = queries.server_of(record.locator, or_hosted=True)
    model = ChatModel.model_validate(loading_parameters(record.parameters))
    tokenizer = queries.folder_of(model.tokenizer) if model.tokenizer else None
    facts = {
        "slug": record.slug,
        "backend": CHAT,
        "server": server.name,
        "parameters": record.parameters,
        "tokenizer": fingerprint(tokenizer, weights=False) if tokenizer else None,
        "requests": {"limit_name": server.limit_name, "sends_temperature": server.sends_temperature},
    }
    bill = _Bill()

    def refuse(parts: Collection[Part]) -> None:
        if "ranker" in parts:
            refuse_hosted(server)
        if "generator" in parts:
            _paying(benchmark, model.model, server.name)

    def payment() -> dict[str, Any]:
        return {"benchmark_id": _paying(benchmark, model.model, server.name), "on_settled": bill.add}

    return AnsweringSystem(
        record.slug,
        tuple(record.capabilities),
        facts,
        open_generator=lambda: open_generator(server.name, model.model, purpose="answer", **payment()),
        open_ranker=lambda: open_server_ranker(
            server,
            model.model,
            tokenizer=tokenizer,
            parallel=settings.MODEL_SERVER_REQUESTS_AT_ONCE,
            seconds=settings.MODEL_SERVER_SECONDS,
            retries=settings.MODEL_SERVER_RETRIES,
        ),
        refuse=refuse,
        probe_pictures=lambda: probe_pictures(server.name, model.model, **payment()),
        take_spent=bill.take,
    )


def _paying(benchmark: str | None, model: str, server: str) -> int:
    """Return the benchmark that pays.

    Raises:
        AnswerRefused: None is chosen, or there is none.
    """
    if benchmark is None:
        raise AnswerRefused(
            "benchmark_needed", f"calls to {model} on {server} cost money: --benchmark names who pays for them"
        )
    try:
        paying = Benchmark.objects.filter(slug=benchmark).values_list("pk", flat=True).first()
    except DatabaseError as error:
        reason = f"the site's database, which has the record of calls, cannot be reached ({type(error).__name__})"
        raise AnswerRefused("benchmark_unknown", reason) from error
    if paying is None:
        raise AnswerRefused("benchmark_unknown", f"there is no benchmark {benchmark}")
    return paying


class _Bill:
    """Sums what calls cost that were sent, also those in doubt, which count as paid; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent = Spent()

    def add(self, call: Call) -> None:
        """Count a settled call."""
        if call.price:
            with self._lock:
                self._spent = Spent(self._spent.amount + (call.cost or 0), call.price["currency"])

    def take(self) -> Spent:
        """Return the sum, and begin again."""
        with self._lock:
            spent, self._spent = self._spent, Spent()
        return spent


def _opened(
    slug: str,
    backend: str,
    folder: Path,
    parameters: dict[str, Any],
    capabilities: tuple[str, ...],
    facts: dict[str, Any],
) -> AnsweringSystem:
    entry = BACKENDS[backend]
    loaders = {
        name: partial(load, folder, loading_parameters(parameters))
        for name in ("open_generator", "open_ranker", "open_embedder")
        if (load := getattr(entry, name, None)) is not None
    }
    return AnsweringSystem(slug, capabilities, facts, **loaders)
