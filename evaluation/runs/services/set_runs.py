"""Runs over item sets: what a complete setting is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from django.conf import settings as site

from curation.prompts.queries import Version, shipped
from evaluation.answering.rules.pictures import METHOD, SCALES
from evaluation.backends.asks import Decoding
from evaluation.backends.registry import BACKENDS, CHAT
from evaluation.runs.errors import (
    RunNeedsPicture,
    RunPromptMissing,
    RunSettingUnknown,
    SystemGivesNoLogProbabilities,
    SystemNotForSuite,
)
from evaluation.runs.rules import Chosen
from evaluation.sets.models import Entry, ItemSet
from evaluation.sets.rules import askable
from evaluation.suites.rules import CAPABILITIES, Means, Setting, Suite
from evaluation.systems.models import System

_PART: Final[Mapping[Means, str]] = {
    "text": "open_generator",
    "likelihood": "open_ranker",
    "similarity": "open_embedder",
}


def requested_entries(row: ItemSet, setting: Setting, side: str) -> Iterator[tuple[int, int | None]]:
    """Yield number and picture of each entry that a setting asks."""
    entries = Entry.objects.filter(set=row).order_by("no").values_list("no", "picture_id", f"texts__{side}__type")
    for no, picture_id, type_ in entries.iterator(chunk_size=5_000):
        if type_ in setting.prompts:
            yield no, picture_id


def complete_settings(row: ItemSet, system: System, chosen: Chosen) -> dict[str, Any]:
    """Return a complete setting: two runs with equal settings are asked the same.

    Raises:
        SystemNotForSuite, SystemGivesNoLogProbabilities: The system cannot answer in this way.
        RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
        RunNeedsPicture: It compares options with the picture.
        RunPromptMissing: A prompt has no text in the language, or no such version.
    """
    suite = askable()[row.suite]
    setting = suite.setting(chosen.setting)
    if setting is None:
        raise _unknown(suite, "setting", chosen.setting, [one.name for one in suite.settings])
    side = chosen.side or row.sides[0]
    if side not in row.sides:
        raise _unknown(suite, "side", side, row.sides)
    if chosen.scale not in map(str, SCALES):
        raise _unknown(suite, "scale", chosen.scale, map(str, SCALES))
    means = _means(suite, setting, system, chosen.means)
    if means == "similarity" and not chosen.picture:
        raise RunNeedsPicture(system=system.slug)
    # Similarity has no prompt, so its language makes no other setting.
    chosen_language = None if means == "similarity" else chosen.language
    language = chosen_language or ("en" if side == "en" else suite.language)
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
