"""Runs over item sets: what a setting is, and how it is started."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max

from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.people.models import Person
from curation.prompts.queries import Version, shipped
from evaluation.answering.rules.pictures import METHOD, MOST_PIXELS, SCALES
from evaluation.backends.asks import Decoding
from evaluation.backends.registry import BACKENDS
from evaluation.runs import queries
from evaluation.runs.errors import RunPromptMissing, RunSettingUnknown, SystemNotForSuite
from evaluation.runs.models import Run
from evaluation.runs.services.chunks import add_chunks
from evaluation.runs.services.lifecycle import StartedRun
from evaluation.runs.services.sweeping import wake_workers
from evaluation.sets import access as sets
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.rules import askable, in_chunks
from evaluation.suites.rules import CAPABILITIES, Means, Setting, Side, Suite, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

_PART: Final[Mapping[Means, str]] = {
    "text": "open_generator",
    "likelihood": "open_ranker",
    "similarity": "open_embedder",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """How a set is asked; None is the suite's default.

    Attributes:
        setting: The suite's setting; empty: the first.
        means: How the system answers; None: the first way that it is capable of.
        language: The language of the prompt.
        side: Which text of the questions is asked; None: the first that the set has.
        prompt: The number of the prompt's version; None: the lowest.
        picture: Whether pictures are sent.
        scale: The factor of both sides of each picture.
    """

    setting: str = ""
    means: Means | None = None
    language: str | None = None
    side: Side | None = None
    prompt: int | None = None
    picture: bool = True
    scale: str = "1"


@transaction.atomic
def start_set_run(*, actor: Person, set_id: int, system: str, chosen: Chosen, client_key: UUID) -> StartedRun:
    """Test a system, in its newest revision here, on an item set in one complete setting.

    If a run of the same system and setting on the set is open or paused, that one is returned.

    Raises:
        SystemNotForSuite: The system is not here, or cannot answer in this way.
        RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
        RunPromptMissing: A prompt has no text in the language, or no such version.
        ActionNotAllowed: The set's files were refused, or are not read yet.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    row = sets.set_for(actor, set_id, "set_run_start", lock=True)
    decision = Decision(actor_id=actor.pk, action="set_run_start", client_key=client_key, benchmark_id=row.benchmark_id)
    request = {"set": set_id, "system": system, **asdict(chosen)}
    if earlier := decision.earlier(**request):
        return StartedRun(earlier.target_id, created=False)
    protocol_id = row.benchmark.protocol_id
    if row.state != ItemSet.State.READY or protocol_id is None:
        raise ActionNotAllowed(action="set_run_start", state=row.state)
    suite, tested = askable()[row.suite], _system(system)
    if tested is None:
        raise SystemNotForSuite(system=system, suite=suite.name)
    setting = suite.setting(chosen.setting)
    if setting is None:
        raise _unknown(suite, "setting", chosen.setting, [one.name for one in suite.settings])
    settings = _settings(row, suite, setting, tested, chosen)
    same = {"system": tested, "set": row, "suite": suite.name, "settings_sha256": settings_digest(settings)}
    existing = Run.objects.filter(state__in=[Run.State.OPEN, Run.State.PAUSED], **same).first()
    if existing is not None:
        return StartedRun(existing.pk, created=False)
    chunks = in_chunks(list(_requested(row, setting, settings["side"])))
    run = Run.objects.create(
        benchmark_id=row.benchmark_id,
        protocol_id=protocol_id,
        settings=settings,
        started_by=actor,
        expected=sum(map(len, chunks)),
        **same,
    )
    add_chunks(run, chunks)
    decision.row = run
    decision.record(**request)
    queue = system_queries.queue_of(tested.backend)
    wake_workers(run.pk, queue, living=queries.workers_by_queue()[queue].living)
    return StartedRun(run.pk, created=True)


def _requested(row: ItemSet, setting: Setting, side: str) -> Iterator[tuple[int, int | None]]:
    """Yield number and picture of each entry that a setting asks."""
    entries = Entry.objects.filter(set=row).order_by("no").values_list("no", "picture_id", f"texts__{side}__type")
    for no, picture_id, type_ in entries.iterator(chunk_size=5_000):
        if type_ in setting.prompts:
            yield no, picture_id


def _system(slug: str) -> System | None:
    newest = system_queries.newest_by_slug([slug]).get(slug)
    if newest is None:
        system_services.ensure_fixture_systems()
        newest = system_queries.newest_by_slug([slug]).get(slug)
    return newest


def _settings(row: ItemSet, suite: Suite, setting: Setting, system: System, chosen: Chosen) -> dict[str, Any]:
    """Return a complete setting: two runs with equal settings are asked the same."""
    side = chosen.side or row.sides[0]
    if side not in row.sides:
        raise _unknown(suite, "side", side, row.sides)
    scales = _scales(row) if chosen.picture else list(map(str, SCALES))
    if chosen.scale not in scales:
        raise _unknown(suite, "scale", chosen.scale, scales)
    means = _means(suite, setting, system, chosen.means)
    if means == "similarity" and not chosen.picture:
        raise _unknown(suite, "picture", "none", ["sent"])
    language = chosen.language or ("en" if side == "en" else suite.language)
    prompts = {} if means == "similarity" else setting.prompts
    versions = {type_: _version(name, language, chosen.prompt) for type_, name in prompts.items()}
    return {
        "suite": suite.name,
        "setting": setting.name,
        "means": means,
        "side": side,
        "language": language,
        "prompts": {type_: [*version.key, version.sha256] for type_, version in versions.items()},
        "decodings": {type_: asdict(setting.decodings.get(type_, Decoding())) for type_ in setting.prompts},
        "ranked": [setting.ranked, setting.count_end],
        "picture": [chosen.scale, METHOD] if chosen.picture else None,
    }


def _scales(row: ItemSet) -> list[str]:
    """Return the scales at which the set's largest picture is not larger than pictures are sent."""
    largest = SetPicture.objects.filter(set=row).aggregate(pixels=Max(F("width") * F("height")))["pixels"] or 0
    return [str(scale) for scale in SCALES if largest * scale**2 <= MOST_PIXELS]


def _means(suite: Suite, setting: Setting, system: System, requested: Means | None) -> Means:
    """Return how the system answers: as requested, else the first way that it and its backend are capable of."""
    if requested is not None and requested not in setting.means:
        raise _unknown(suite, "means", requested, setting.means)
    for means in setting.means:
        is_capable = CAPABILITIES[means] in system.capabilities
        if means == (requested or means) and is_capable and _opens(system, means):
            return means
    raise SystemNotForSuite(system=system.slug, suite=suite.name)


def _opens(system: System, means: Means) -> bool:
    """Return whether a system's backend answers in this way."""
    return system.backend in BACKENDS and getattr(BACKENDS[system.backend], _PART[means]) is not None


def _version(name: str, language: str, number: int | None) -> Version:
    """Return a prompt's version in a language, without a number the lowest: the paper's own text comes first."""
    versions = sorted(
        (version for version in shipped().values() if (version.key.name, version.key.language) == (name, language)),
        key=lambda version: version.key.no,
    )
    for version in versions:
        if number in (None, version.key.no):
            return version
    allowed = [f"{key.language} {key.no}" for key in shipped() if key.name == name]
    raise RunPromptMissing(prompt=name, language=language, allowed=", ".join(sorted(allowed)))


def _unknown(suite: Suite, name: str, value: str, allowed: Iterable[str]) -> RunSettingUnknown:
    return RunSettingUnknown(suite=suite.name, name=name, value=value, allowed=", ".join(allowed))


def scale_of(settings: Mapping[str, Any]) -> Fraction | None:
    """Return the factor by which a run's pictures are scaled; None if it sends none."""
    return Fraction(settings["picture"][0]) if settings["picture"] else None
