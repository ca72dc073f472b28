"""The file as a whole: read, checked by every part and by what it names, with warnings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, Field

from curation.benchmarks.rules.marked_yaml import Document
from curation.benchmarks.rules.parts import Localised, Name, Part, each_code_once
from curation.benchmarks.rules.people import Capability, Consent, People, RoleBundle, Teams
from curation.benchmarks.rules.pictures import Images
from curation.benchmarks.rules.results import Evaluation, Release
from curation.benchmarks.rules.work import Tracks
from curation.lib.sampling import draw_from, plan_warnings


class Meta(Part):
    """What the protocol is, for the list of presets.

    Attributes:
        name: Short name, as the file is called.
        source: The paper or document that the numbers come from.
    """

    name: Name
    title: Localised
    summary: Localised
    source: str


class Languages(Part):
    """Which language people write in; the interface's languages are the same for all benchmarks.

    Attributes:
        content: ``team``: each team in its own.
        translation: The language that everything is written in besides.
    """

    content: Literal["zh-Hans", "zh-Hant", "en", "team"]
    translation: Literal["zh-Hans", "zh-Hant", "en"] | None = None


class Taxonomy(Part):
    """The list of categories: a file under ``fixtures/taxonomies``.

    Attributes:
        pairs: A file there with pairs of country and language, one for each team.
    """

    list: Name
    pairs: Name | None = None


class _File(Part):
    """The whole file; kinds are checked one by one."""

    meta: Meta
    languages: Languages
    roles: Annotated[list[RoleBundle], Field(min_length=1), AfterValidator(each_code_once)]
    teams: Teams | None = None
    people: People | None = None
    consent: Consent | None = None
    taxonomy: Taxonomy
    images: Images
    kinds: dict[str, dict[str, Any]]
    tracks: Tracks
    release: Release
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Known:
    """What a protocol may name, collected by the caller because all of it lies above this room.

    Attributes:
        kinds: The model of each built kind's settings.
        taxonomies: Lists of categories; ``pairs``: lists of pairs of country and language.
    """

    kinds: Mapping[str, type[BaseModel]]
    taxonomies: Collection[str]
    pairs: Collection[str]
    exporters: Collection[str]
    gates: Collection[str]
    suites: Collection[str]
    systems: Collection[str]


class Warned(NamedTuple):
    """Something that is no fault, but hardly what anybody wants.

    Attributes:
        code: Translated by the browser.
        params: The values in its sentence.
        line: Line of the value, counted from 1.
        path: Its dotted keys.
    """

    code: str
    params: dict[str, int | float]
    line: int
    path: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.path}: {_WARNINGS[self.code].format(**self.params)}"


_WARNINGS: Final[Mapping[str, str]] = {
    "inspection_weak": (
        "of {size} items {sample} are drawn and {errors_allowed} may be wrong; "
        "work that is {right_percent} % right passes in {chance:.0%} of cases"
    ),
    "inspection_harsh": (
        "of {size} items {sample} are drawn and {errors_allowed} may be wrong; "
        "work that is {right_percent} % right passes only in {chance:.0%} of cases"
    ),
}


@dataclass(frozen=True, slots=True)
class Protocol:
    """A checked protocol.

    Attributes:
        name: ``meta.name``.
        source: The file as it was written.
        content: JSON-able; ``kinds`` holds the kinds that are built, ``planned`` the others as they stand.
        warnings: What may be written so and will surprise whoever works by it.
    """

    name: str
    source: str
    content: dict[str, Any]
    warnings: tuple[Warned, ...] = ()

    @property
    def source_sha256(self) -> str:
        """Of the file's bytes in UTF-8, so that a version names exactly what was read."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def planned(self) -> list[str]:
        """What the protocol names and this software does not have yet."""
        return planned_parts(self.content)


def planned_parts(content: Mapping[str, Any]) -> list[str]:
    """Paths of all that a protocol's content keeps for later, for example ``kinds.boxes`` and ``tracks.peer``."""
    release, evaluation = content.get("release", {}), content.get("evaluation", {})
    found = [f"kinds.{kind}" for kind in content.get("planned", {})]
    found += [f"tracks.{track}" for track in content.get("tracks", {}).get("planned", {})]
    found += ["people"] if content.get("people") else []
    for part, planned in (("release", release.get("planned", {})), ("evaluation", evaluation.get("planned", {}))):
        found += [f"{part}.{what}.{name}" for what, names in planned.items() for name in names]
    return sorted(found)


def consent_sha256(content: Mapping[str, Any]) -> str:
    """Name what people agree to: SHA-256 of the consent's version, text and declarations; empty when nothing is asked.

    What is asked about single pictures (``donors``) is no part of it: each picture carries its own answer.
    """
    consent = content.get("consent")
    if not consent:
        return ""
    agreed = {key: consent.get(key) for key in ("version", "text", "eligibility")}
    return hashlib.sha256(json.dumps(agreed, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def parse(source: str, *, known: Known, file: str = "protocol.yaml") -> Protocol:
    """Read and check a protocol.

    Args:
        source: The file's text.
        known: What the file may name.
        file: Its name, for the faults.

    Raises:
        FileInvalid: With every fault, not only the first.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    raw = document.value if isinstance(document.value, dict) else {}
    checked = document.check(document.value, _File)
    if checked is not None:
        for fault in (*_loose_ends(checked), *_unknown_names(checked, known)):
            document.fault(fault.path, fault.expected, fault.code, fault.params)
    named = raw.get("kinds")
    built: dict[str, Any] = {}
    for kind, settings in _settings_of(named):
        if kind in known.kinds:
            model = document.check(settings, known.kinds[kind], at=("kinds", kind))
            built[kind] = model.model_dump(mode="json", by_alias=True) if model else None
    document.raise_problems()
    if checked is None:  # impossible without a fault, said for the type checker
        raise AssertionError
    content = checked.model_dump(mode="json", by_alias=True)
    content["planned"] = {kind: settings for kind, settings in content["kinds"].items() if kind not in known.kinds}
    content["kinds"] = built
    return Protocol(checked.meta.name, source, content, tuple(_warnings(content, document)))


def warnings_of(content: Mapping[str, Any], source: str) -> list[Warned]:
    """The warnings of a version that was stored; ``source`` is its file's text, which tells the lines."""
    return list(_warnings(content, Document(source, file="protocol.yaml")))


def _warnings(content: Mapping[str, Any], document: Document) -> Iterator[Warned]:
    track = content.get("tracks", {}).get("package")
    if not track:
        return
    draw = draw_from(
        track["size"], sample_percent=track["sample_percent"], pass_over_percent=track["pass_over_percent"]
    )
    path = ("tracks", "package", "size")
    for code, params in plan_warnings(draw):
        yield Warned(code, params, document.line(path), ".".join(path))


class Fault(NamedTuple):
    """Something that no part of the file shows by itself: where, what was expected, its code and values."""

    path: tuple[str | int, ...]
    expected: str
    code: str
    params: dict[str, Any]


def _loose_ends(checked: _File) -> Iterator[Fault]:
    """Names in one part of the file that should stand in another and do not."""
    roles, kinds = [role.code for role in checked.roles], list(checked.kinds)
    if not any(Capability.ADMINISTER in role.capabilities for role in checked.roles):
        yield Fault(("roles",), f"a role with the capability {Capability.ADMINISTER}", "nobody_administers", {})
    for r, role in enumerate(checked.roles):
        for c, capability in enumerate(role.capabilities):
            kind = capability.partition(":")[2]
            yield from _missing(kind or None, "kinds", kinds, ("roles", r, "capabilities", c))
    for r, code in enumerate(checked.teams.roles if checked.teams else ()):
        yield from _missing(code, "roles", roles, ("teams", "roles", r))
    if people := checked.people:
        for n, staff in enumerate(people.staff):
            yield from _missing(staff.role, "roles", roles, ("people", "staff", n, "role"))
            yield from _missing(staff.kind, "kinds", kinds, ("people", "staff", n, "kind"))
        if people.qualification:
            yield from _missing(
                people.qualification.judged_by, "roles", roles, ("people", "qualification", "judged_by")
            )
        if people.training:
            yield from _missing(people.training.guided_by, "roles", roles, ("people", "training", "guided_by"))
    licences = [licence.code for licence in checked.images.licences]
    for s, site in enumerate(checked.images.sites):
        for n, code in enumerate(site.licences):
            yield from _missing(code, "licences", licences, ("images", "sites", s, "licences", n))


def _unknown_names(checked: _File, known: Known) -> Iterator[Fault]:
    """Names of things outside the file that are not there."""
    taxonomy, release, evaluation = checked.taxonomy, checked.release, checked.evaluation
    yield from _missing(taxonomy.list, "lists", known.taxonomies, ("taxonomy", "list"))
    yield from _missing(taxonomy.pairs, "lists of pairs", known.pairs, ("taxonomy", "pairs"))
    for part, what, names, there in (
        ("release", "gates", release.gates, known.gates),
        ("release", "exporters", release.exporters, known.exporters),
        ("evaluation", "systems", evaluation.systems, known.systems),
        ("evaluation", "suites", evaluation.suites, known.suites),
    ):
        for n, name in enumerate(names):
            for fault in _missing(name, what, there, (part, what, n)):
                hint = f"; what is not built yet stands under {part}.planned.{what}"
                yield fault._replace(
                    expected=fault.expected + hint,
                    code="name_not_built",
                    params=fault.params | {"planned": f"{part}.planned.{what}"},
                )


def _missing(name: str | None, what: str, there: Collection[str], path: tuple[str | int, ...]) -> Iterator[Fault]:
    if name is not None and name not in there:
        names = ", ".join(there)
        yield Fault(path, f"one of the {what} {names}, got {name!r}", "name_unknown", {"names": names, "got": name})


def _settings_of(named: object) -> Iterable[tuple[str, Any]]:
    return named.items() if isinstance(named, dict) else ()
