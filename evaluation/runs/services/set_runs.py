"""Runs over item sets: what a complete setting is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.conf import settings as site
from django.db.models import F, Max

from annotation.releases.models import Release
from curation.core.errors import ActionNotAllowed
from curation.people.models import Person
from curation.prompts.queries import Version, shipped
from evaluation.answering.rules.pictures import METHOD, MOST_PIXELS, SCALES
from evaluation.backends.asks import Decoding
from evaluation.backends.registry import BACKENDS, CHAT
from evaluation.runs import queries
from evaluation.runs.errors import (
    RunAsksNothing,
    RunNeedsPicture,
    RunPromptMissing,
    RunPromptWithoutExamples,
    RunSettingUnknown,
    RunVariableMissing,
    SystemGivesNoLogProbabilities,
    SystemNotForSuite,
)
from evaluation.runs.models import Run
from evaluation.runs.rules import Chosen
from evaluation.runs.services.chunks import cut_entries
from evaluation.runs.services.drawing import drawn
from evaluation.runs.services.sweeping import wake_workers
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.sets.rules import askable
from evaluation.suites.rules import CAPABILITIES, Means, Setting, Suite, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

_PART: Final[Mapping[Means, str]] = {
    "text": "open_generator",
    "likelihood": "open_ranker",
    "similarity": "open_embedder",
}


#: States of a release whose questions are asked.
RUNNABLE: Final = (Release.State.FROZEN, Release.State.PUBLISHED)


class StartedRun(NamedTuple):
    """A run, and whether this request created it."""

    run_id: int
    created: bool


def require_runnable(row: ItemSet, operation: str) -> None:
    """Refuse runs over a withdrawn release.

    Raises:
        ActionNotAllowed.
    """
    if row.release and row.release.state not in RUNNABLE:
        raise ActionNotAllowed(action=operation, state=row.release.state)


def open_set_run(
    row: ItemSet, system: System, chosen: Chosen, *, protocol_id: int, started_by: Person | None
) -> tuple[Run, bool]:
    """Open a run over a set and wake workers for it; return it, and whether it is new. Call it in a transaction.

    If a run of the same system and setting on the set is open or paused, that one is returned.

    Raises:
        SystemNotForSuite, SystemGivesNoLogProbabilities: The system cannot answer in this way.
        RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
        RunPromptMissing, RunPromptWithoutExamples: A prompt has no text in the language, no such version, or none for
            examples.
        RunExamplesUnfit, RunExamplesTooFew: They cannot be drawn.
        RunVariableMissing: A question has no value that its prompt needs.
        RunAsksNothing: The set has no question that the setting asks.
    """
    settings = complete_settings(row, system, chosen)
    same = {"system": system, "set": row, "suite": row.suite, "settings_sha256": settings_digest(settings)}
    existing = Run.objects.filter(state__in=[Run.State.OPEN, Run.State.PAUSED], **same).first()
    if existing is not None:
        return existing, False
    return create_set_run(row, system, settings, protocol_id=protocol_id, started_by=started_by), True


def create_set_run(
    row: ItemSet, system: System, settings: dict[str, Any], *, protocol_id: int, started_by: Person | None
) -> Run:
    """Open a run in a complete setting and wake workers for it. Call it in a transaction.

    Raises:
        RunAsksNothing: The set has no question that the setting asks.
    """
    run = Run.objects.create(
        benchmark_id=row.benchmark_id,
        protocol_id=protocol_id,
        system=system,
        set=row,
        suite=row.suite,
        settings=settings,
        settings_sha256=settings_digest(settings),
        started_by=started_by,
    )
    if not cut_entries(run) and row.state == ItemSet.State.READY and row.origin != ItemSet.Origin.ROLLING:
        raise RunAsksNothing(setting=settings["setting"])
    queue = system_queries.queue_of(system.backend)
    wake_workers(run.pk, queue, living=queries.workers_by_queue()[queue].living)
    return run


def newest_system(slug: str) -> System | None:
    """Return the newest revision of a system that is here; None for an unknown one."""
    newest = system_queries.newest_by_slug([slug]).get(slug)
    if newest is None:
        system_services.ensure_fixture_systems()
        newest = system_queries.newest_by_slug([slug]).get(slug)
    return newest


def complete_settings(row: ItemSet, system: System, chosen: Chosen) -> dict[str, Any]:
    """Return a complete setting: two runs with equal settings are asked the same.

    Raises:
        SystemNotForSuite, SystemGivesNoLogProbabilities: The system cannot answer in this way.
        RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
        RunNeedsPicture: It compares options with the picture.
        RunPromptMissing, RunPromptWithoutExamples: A prompt has no text in the language, no such version, or none for
            examples.
        RunExamplesUnfit, RunExamplesTooFew: They cannot be drawn.
        RunVariableMissing: A question has no value that its prompt needs.
    """
    suite = askable()[row.suite]
    setting = suite.setting(chosen.setting)
    if setting is None:
        raise _unknown(suite, "setting", chosen.setting, [one.name for one in suite.settings])
    sides = row.sides or list(suite.sides[:1])  # the entries of a release may not be made yet
    side = chosen.side or sides[0]
    if side not in sides:
        raise _unknown(suite, "side", side, sides)
    scales = _scales(row) if chosen.picture else list(map(str, SCALES))
    if chosen.scale not in scales:
        raise _unknown(suite, "scale", chosen.scale, scales)
    means = _means(suite, setting, system, chosen.means)
    if means == "similarity" and not chosen.picture:
        raise RunNeedsPicture(system=system.slug)
    # Similarity has no prompt, so its language makes no other setting.
    chosen_language = None if means == "similarity" else chosen.language
    language = chosen_language or ("en" if side == "en" else suite.language)
    prompts = {} if means == "similarity" else setting.prompts
    versions = {type_: _version(setting, name, language, chosen) for type_, name in prompts.items()}
    _check_values(row, side, versions)
    shots = drawn(row, suite, side, versions, chosen)
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
        # Left out where there are none, so that settings from before examples stay the same.
        **({"shots": shots} if shots else {}),
    }


def _check_values(row: ItemSet, side: str, versions: Mapping[str, Version]) -> None:
    """Refuse a setting whose prompts would have a hole in some question.

    Raises:
        RunVariableMissing.
    """
    texts = f"texts__{side}"
    for type_, version in versions.items():
        of_type = Entry.objects.filter(set=row, ended_at=None, **{f"{texts}__type": type_})
        for variable in version.body.variables:
            lacking = of_type.exclude(**{f"{texts}__values__has_key": variable}).order_by("no").first()
            if lacking is not None:
                raise RunVariableMissing(key=lacking.key, variable=variable, prompt=version.key.name)


def _scales(row: ItemSet) -> list[str]:
    """Return the scales at which the set's largest picture is not larger than pictures are sent."""
    stored = SetPicture.objects.filter(set=row).aggregate(pixels=Max(F("width") * F("height")))
    of_items = Entry.objects.filter(set=row).aggregate(pixels=Max(F("image__width") * F("image__height")))
    largest = max(stored["pixels"] or 0, of_items["pixels"] or 0)
    return [str(scale) for scale in SCALES if largest * scale**2 <= MOST_PIXELS]


def _means(suite: Suite, setting: Setting, system: System, requested: Means | None) -> Means:
    """Return how the system answers: as requested, else the first way that it and its backend are capable of."""
    if requested is not None and requested not in setting.means:
        raise _unknown(suite, "means", requested, setting.means)
    for means in setting.means:
        is_capable = CAPABILITIES[means] in system.capabilities
        if means == (requested or means) and is_capable and _opens(system, means):
            return means
    if (requested or setting.means[0]) == "likelihood" and "generate" in system.capabilities:
        raise SystemGivesNoLogProbabilities(system=system.slug, setting=setting.name)
    raise SystemNotForSuite(system=system.slug, suite=suite.name)


def _opens(system: System, means: Means) -> bool:
    """Return whether a system's backend answers in this way; servers of providers rank nothing."""
    if system.backend == CHAT:
        server = site.MODEL_SERVERS.get(system.locator)
        return means == "text" or (means == "likelihood" and server is not None and not server.hosted)
    return system.backend in BACKENDS and getattr(BACKENDS[system.backend], _PART[means]) is not None


def _version(setting: Setting, name: str, language: str, chosen: Chosen) -> Version:
    """Return a prompt's version in a language, without a number the lowest: the paper's own text comes first.

    With examples, it is one that has a text for them.

    Raises:
        RunPromptMissing, RunPromptWithoutExamples.
    """
    versions = sorted(
        (version for version in shipped().values() if (version.key.name, version.key.language) == (name, language)),
        key=lambda version: version.key.no,
    )
    fitting = [version for version in versions if chosen.prompt in (None, version.key.no)]
    if not fitting:
        allowed = [f"{key.language} {key.no}" for key in shipped() if key.name == name]
        raise RunPromptMissing(prompt=name, language=language, allowed=", ".join(sorted(allowed)))
    for version in fitting:
        if version.body.shot or not chosen.shots:
            return version
    raise RunPromptWithoutExamples(prompt=name, language=language, setting=setting.name)


def _unknown(suite: Suite, name: str, value: str, allowed: Iterable[str]) -> RunSettingUnknown:
    return RunSettingUnknown(suite=suite.name, name=name, value=value, allowed=", ".join(allowed))


def scale_of(settings: Mapping[str, Any]) -> Fraction | None:
    """Return the factor by which a run's pictures are scaled; None if it sends none."""
    return Fraction(settings["picture"][0]) if settings["picture"] else None
