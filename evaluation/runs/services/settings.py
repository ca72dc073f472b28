"""What a complete setting of a run over an item set is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Final

from django.conf import settings as site
from django.db.models import F, Max

from curation.prompts.queries import Version
from evaluation.answering.rules.pictures import METHOD, MOST_PIXELS, SCALES
from evaluation.answering.services.prompts import NoVersion, version_of
from evaluation.backends.asks import Decoding
from evaluation.backends.registry import BACKENDS, CHAT
from evaluation.runs.errors import (
    RunNeedsPicture,
    RunPromptMissing,
    RunPromptWithoutExamples,
    RunSettingUnknown,
    RunVariableMissing,
    SystemGivesNoLogProbabilities,
    SystemNotForSuite,
)
from evaluation.runs.rules import Chosen
from evaluation.runs.services.drawing import drawn
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.suites.rules import CAPABILITIES, SUITES, Means, Setting, Suite
from evaluation.systems.models import System

_PART: Final[Mapping[Means, str]] = {
    "text": "open_generator",
    "likelihood": "open_ranker",
    "similarity": "open_embedder",
}


class Completer:
    """Completes what is chosen into settings; what several settings need of a set's questions is read once.

    Args:
        row: The set.
    """

    def __init__(self, row: ItemSet) -> None:
        self._row = row
        self._suite = SUITES[row.suite]
        self._lacking = cache(self._first_without)
        self._drawn: dict[tuple[Any, ...], dict[str, Any] | None] = {}

    def complete(self, system: System, chosen: Chosen) -> dict[str, Any]:
        """Return a complete setting: two runs with equal settings are asked the same.

        Raises:
            SystemNotForSuite, SystemGivesNoLogProbabilities: The system cannot answer in this way.
            RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
            RunNeedsPicture: It compares options with the picture.
            RunPromptMissing, RunPromptWithoutExamples: A prompt has no text in the language, no such version, or none
                for examples.
            RunExamplesUnfit, RunExamplesTooFew: They cannot be drawn.
            RunVariableMissing: A question has no value that its prompt needs.
        """
        suite = self._suite
        setting = suite.setting(chosen.setting)
        if setting is None:
            raise _unknown(suite, "setting", chosen.setting, [one.name for one in suite.settings])
        sides = self._row.sides or list(suite.sides[:1])  # the entries of a release may not be made yet
        side = chosen.side or sides[0]
        if side not in sides:
            raise _unknown(suite, "side", side, sides)
        scales = self._scales if chosen.picture else list(map(str, SCALES))
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
        self._check_values(side, versions)
        shots = self._shots(side, versions, chosen)
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
            **({"preprocessing": dict(suite.preprocessing)} if suite.is_retrieval else {}),
        }

    def _check_values(self, side: str, versions: Mapping[str, Version]) -> None:
        """Refuse a setting whose prompts would have a hole in some question.

        Raises:
            RunVariableMissing.
        """
        for type_, version in versions.items():
            for variable in version.body.variables:
                if (key := self._lacking(side, type_, variable)) is not None:
                    raise RunVariableMissing(key=key, variable=variable, prompt=version.key.name)

    def _first_without(self, side: str, type_: str, variable: str) -> str | None:
        """Return the key of the first question of a type without a value; None if every one has it."""
        texts = f"texts__{side}"
        of_type = Entry.objects.filter(set=self._row, ended_at=None, **{f"{texts}__type": type_})
        without = of_type.exclude(**{f"{texts}__values__has_key": variable}).order_by("no")
        return without.values_list("key", flat=True).first()

    def _shots(self, side: str, versions: Mapping[str, Version], chosen: Chosen) -> dict[str, Any] | None:
        explained = {type_: version.body.shows_explanations for type_, version in versions.items()}
        drawing = (side, *sorted(explained.items()), chosen.shots, chosen.examples, chosen.seed, chosen.picture)
        if drawing not in self._drawn:
            self._drawn[drawing] = drawn(self._row, self._suite, side, versions, chosen)
        return self._drawn[drawing]

    @cached_property
    def _scales(self) -> list[str]:
        """The scales at which the set's largest picture is not larger than pictures are sent; retrieval has one."""
        if self._suite.is_retrieval:
            return ["1"]
        stored = SetPicture.objects.filter(set=self._row).aggregate(pixels=Max(F("width") * F("height")))
        entries = Entry.objects.filter(set=self._row)
        of_items = entries.aggregate(pixels=Max(F("image__width") * F("image__height")))
        largest = max(stored["pixels"] or 0, of_items["pixels"] or 0)
        return [str(scale) for scale in SCALES if largest * scale**2 <= MOST_PIXELS]


def _means(suite: Suite, setting: Setting, system: System, requested: Means | None) -> Means:
    """Return how the system answers: as requested, else the first way that it and its backend are capable of."""
    if requested is not None and requested not in setting.means:
        raise _unknown(suite, "means", requested, setting.means)
    for means in setting.means:
        is_capable = CAPABILITIES[means] in system.capabilities
        # A server of embeddings answers retrieval alone.
        if means == (requested or means) and is_capable and (suite.is_retrieval or _opens(system, means)):
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
    """Return a prompt's version.

    Raises:
        RunPromptMissing, RunPromptWithoutExamples.
    """
    try:
        return version_of(name, language, chosen.prompt, with_shots=chosen.shots > 0)
    except NoVersion as error:
        if error.has_text:
            raise RunPromptWithoutExamples(prompt=name, language=language, setting=setting.name) from None
        allowed = ", ".join(f"{known} {no}" for known, no in sorted(error.known))
        raise RunPromptMissing(prompt=name, language=language, allowed=allowed) from None


def _unknown(suite: Suite, name: str, value: str, allowed: Iterable[str]) -> RunSettingUnknown:
    return RunSettingUnknown(suite=suite.name, name=name, value=value, allowed=", ".join(allowed))


def scale_of(settings: Mapping[str, Any]) -> Fraction | None:
    """Return the factor by which a run's pictures are scaled; None if it sends none."""
    return Fraction(settings["picture"][0]) if settings["picture"] else None
