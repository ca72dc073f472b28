"""The protocol file as a whole: parsing, validation of parts and references, warnings."""

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
from curation.benchmarks.rules.results import Evaluation, Publication, Release
from curation.benchmarks.rules.taxonomy import BoardList, Taxonomy
from curation.benchmarks.rules.work import (
    OF_ALL_KINDS,
    TRACKS,
    WORK_KEYS,
    KindWork,
    Tracks,
    split_settings,
    track_content,
)
from curation.lib.sampling import draw_from, plan_warnings


class Meta(Part):
    """Description of the protocol, for the list of presets.

    Attributes:
        name: Short name, equal to the file's.
        source: The paper or document that the numbers come from.
    """

    name: Name
    title: Localised
    summary: Localised
    source: str


class Languages(Part):
    """The languages of annotation; the interface's languages are the same for all benchmarks.

    Attributes:
        content: The language that people write in; ``team``: each team its own.
        translation: The language that everything is also translated to.
    """

    content: Literal["zh-Hans", "zh-Hant", "en", "team"]
    translation: Literal["zh-Hans", "zh-Hant", "en"] | None = None


class _File(Part):
    """The whole file; the models of kinds are validated separately."""

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
    publication: Publication | None = None


@dataclass(frozen=True, slots=True)
class AvailableNames:
    """The names that a protocol may refer to; the caller collects them, because they belong to rooms above this one.

    Attributes:
        kinds: The settings model of each implemented kind.
        tracks: The tracks in which each of them can be worked on.
        bases: The kind on whose accepted work each of them rests, for those that do.
        taxonomies: Taxonomies; ``pairs``: lists of pairs of country and language.
    """

    kinds: Mapping[str, type[BaseModel]]
    tracks: Mapping[str, tuple[str, ...]]
    bases: Mapping[str, str]
    taxonomies: Collection[str]
    pairs: Collection[str]
    exporters: Collection[str]
    gates: Collection[str]
    suites: Collection[str]
    systems: Collection[str]


class ProtocolWarning(NamedTuple):
    """A setting that is allowed but probably not intended.

    Attributes:
        code: Code for translation by the browser.
        params: Values of its sentence.
        line: Line of the value, counted from 1.
        path: The value's dotted keys.
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
        "work that is {right_percent}% right passes in {chance:.0%} of cases"
    ),
    "inspection_harsh": (
        "of {size} items {sample} are drawn and {errors_allowed} may be wrong; "
        "work that is {right_percent}% right passes only in {chance:.0%} of cases"
    ),
}


@dataclass(frozen=True, slots=True)
class Protocol:
    """A valid protocol.

    Attributes:
        name: ``meta.name``.
        source: The file's text.
        content: JSON-able; ``kinds`` has the kinds that people can work on, ``planned`` the others unchanged: those
            that are not implemented, or whose track is not.
        warnings: Settings that are allowed and will surprise.
    """

    name: str
    source: str
    content: dict[str, Any]
    warnings: tuple[ProtocolWarning, ...] = ()

    @property
    def source_sha256(self) -> str:
        """SHA-256 of the file's bytes in UTF-8, so that a version identifies exactly what was read."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @property
    def planned(self) -> list[str]:
        """The parts of the protocol that this software does not implement."""
        return planned_parts(self.content)


def planned_parts(content: Mapping[str, Any]) -> list[str]:
    """List the planned parts of a protocol's content, for example ``kinds.boxes`` and ``tracks.peer``."""
    release, evaluation = content.get("release", {}), content.get("evaluation", {})
    paths = [f"kinds.{kind}" for kind in content.get("planned", {})]
    paths += [f"tracks.{track}" for track in content.get("tracks", {}).get("planned", {})]
    paths += ["people"] if content.get("people") else []
    for part, planned in (("release", release.get("planned", {})), ("evaluation", evaluation.get("planned", {}))):
        paths += [f"{part}.{what}.{name}" for what, names in planned.items() for name in names]
    return sorted(paths)


def consent_sha256(content: Mapping[str, Any]) -> str:
    """Identify what people consent to: SHA-256 of the consent's version, text and declarations; empty without consent.

    Declarations about single pictures (``donors``) are not part of it, because each picture has its own.
    """
    consent = content.get("consent")
    if not consent:
        return ""
    consented = {key: consent.get(key) for key in ("version", "text", "eligibility")}
    return hashlib.sha256(json.dumps(consented, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def parse(source: str, *, available: AvailableNames, file: str = "protocol.yaml") -> Protocol:
    """Parse and validate a protocol.

    Args:
        source: The file's text.
        available: The names that the file may refer to.
        file: The file's name, for the faults.

    Raises:
        FileInvalid: With all faults, not only the first.
    """
    document = Document(source, file=file)
    if document.value is None:
        document.raise_problems()
    raw = document.value if isinstance(document.value, dict) else {}
    checked = document.check(document.value, _File)
    if checked is not None:
        for fault in (*_dangling_references(checked), *_unknown_names(checked, available)):
            document.fault(fault.path, fault.expected, fault.code, fault.params)
    built = {
        kind: _built_kind(document, checked, kind, settings, available)
        for kind, settings in _settings_of(raw.get("kinds"))
        if kind in available.kinds and not _lacks_track(raw, settings)
    }
    document.raise_problems()
    if checked is None:  # unreachable, because a failed check records a fault; for the type checker
        raise AssertionError
    content = checked.model_dump(mode="json", by_alias=True)
    content["planned"] = {kind: settings for kind, settings in content["kinds"].items() if kind not in built}
    content["kinds"] = built
    # A text from before these parts existed does not differ.
    if content["publication"] is None:
        del content["publication"]
    for key in ("axes", "board"):
        if not content["taxonomy"][key]:
            del content["taxonomy"][key]
    return Protocol(checked.meta.name, source, content, tuple(_warnings(content, document)))


def _lacks_track(raw: Mapping[str, Any], settings: Any) -> bool:
    """Return whether a kind names no track and the protocol has no settings of the one that is meant then."""
    default = KindWork.model_fields["track"].default
    tracks = raw.get("tracks")
    is_set = isinstance(settings, dict) and ("track" in settings or default in settings)
    return not is_set and isinstance(tracks, dict) and tracks.get(default) is None


def _built_kind(
    document: Document, checked: _File | None, kind: str, settings: Any, available: AvailableNames
) -> dict[str, Any] | None:
    """Validate an implemented kind's part of the file; on faults record them and return None.

    Defaults of the work keys are not stored, so that a text from before these keys existed does not differ.
    """
    path, model = ("kinds", kind), available.kinds[kind]
    if not isinstance(settings, dict):
        document.check(settings, model, at=path)
        return None
    work_keys, own_keys = split_settings(settings)
    work = document.check(work_keys, KindWork, at=path)
    own = document.check(own_keys, model, at=path, beside=WORK_KEYS)
    if work is None or own is None or checked is None:
        return None
    content = work.model_dump(mode="json", exclude_defaults=True) | own.model_dump(mode="json", by_alias=True)
    for fault in (*_work_faults(checked, kind, work_keys, work), *_kind_faults(checked, kind, work, available)):
        document.fault(fault.path, fault.expected, fault.code, fault.params)
    if work_keys.get(work.track):
        tracks = checked.model_dump(mode="json", include={"tracks"})
        merged = track_content({**tracks, "kinds": {kind: work_keys}}, work.track, kind)
        document.check(merged, TRACKS[work.track], at=(*path, work.track))
    return content


def _work_faults(checked: _File, kind: str, settings: Mapping[str, Any], work: KindWork) -> Iterator[Fault]:
    """Find references of a kind's work keys to missing parts, and settings of tracks that no kind may have."""
    path = ("kinds", kind)
    if "track" in settings and not settings.get(work.track):
        configured = [track for track in TRACKS if getattr(checked.tracks, track) is not None]
        yield from _check_name(work.track, "tracks", configured, (*path, "track"))
    subsets = [subset.code for subset in checked.images.subsets]
    yield from _check_name(work.subset, "subsets", subsets, (*path, "subset"))
    for track in TRACKS:
        for key in settings.get(track) or {}:
            if track != work.track:
                yield Fault((*path, track, key), f"only settings of {work.track}, the kind's track", "key_unwanted", {})
            elif key in OF_ALL_KINDS:
                yield Fault((*path, track, key), f"this key in tracks.{track}, for all kinds", "key_unwanted", {})


def _kind_faults(checked: _File, kind: str, work: KindWork, available: AvailableNames) -> Iterator[Fault]:
    """Find a track in which the kind cannot be worked on, and a missing kind on whose work it rests."""
    path = ("kinds", kind)
    yield from _check_name(work.track, "tracks", available.tracks[kind], (*path, "track"))
    base = available.bases.get(kind)
    if base is not None and base not in checked.kinds:
        expected = f"the kind {base} too, on whose accepted work it rests"
        yield Fault(path, expected, "base_kind_missing", {"kind": base})


def warnings_of(content: Mapping[str, Any], source: str) -> list[ProtocolWarning]:
    """Return the warnings of a stored version; ``source`` is its file's text, for the lines."""
    return list(_warnings(content, Document(source, file="protocol.yaml")))


def _warnings(content: Mapping[str, Any], document: Document) -> Iterator[ProtocolWarning]:
    places: list[tuple[tuple[str, ...], Any]] = [(("tracks", "package"), content.get("tracks", {}).get("package"))]
    for kind, settings in content.get("kinds", {}).items():
        if settings.get("package"):
            places.append((("kinds", kind, "package"), track_content(content, "package", kind)))
    for at, track in places:
        if not track:
            continue
        draw = draw_from(
            track["size"], sample_percent=track["sample_percent"], pass_over_percent=track["pass_over_percent"]
        )
        path = (*at, "size")
        for code, params in plan_warnings(draw):
            yield ProtocolWarning(code, params, document.line(path), ".".join(path))


class Fault(NamedTuple):
    """A fault in the relation of several parts: path, expected value, code and values."""

    path: tuple[str | int, ...]
    expected: str
    code: str
    params: dict[str, Any]


def _dangling_references(checked: _File) -> Iterator[Fault]:
    """Find references from one part of the file to missing entries of another."""
    roles, kinds = [role.code for role in checked.roles], list(checked.kinds)
    if not any(Capability.ADMINISTER in role.capabilities for role in checked.roles):
        yield Fault(("roles",), f"a role with the capability {Capability.ADMINISTER}", "nobody_administers", {})
    for r, role in enumerate(checked.roles):
        for c, capability in enumerate(role.capabilities):
            kind = capability.partition(":")[2]
            yield from _check_name(kind or None, "kinds", kinds, ("roles", r, "capabilities", c))
    for r, code in enumerate(checked.teams.roles if checked.teams else ()):
        yield from _check_name(code, "roles", roles, ("teams", "roles", r))
    if people := checked.people:
        for n, staff in enumerate(people.staff):
            yield from _check_name(staff.role, "roles", roles, ("people", "staff", n, "role"))
            yield from _check_name(staff.kind, "kinds", kinds, ("people", "staff", n, "kind"))
        if people.qualification:
            yield from _check_name(
                people.qualification.judged_by, "roles", roles, ("people", "qualification", "judged_by")
            )
        if people.training:
            yield from _check_name(people.training.guided_by, "roles", roles, ("people", "training", "guided_by"))
    yield from _release_faults(checked)
    if isinstance(checked.taxonomy.list, BoardList) and checked.taxonomy.board is None:
        yield Fault(("taxonomy",), "the key board, because the list is the board's", "board_missing", {})
    licences = [licence.code for licence in checked.images.licences]
    for s, site in enumerate(checked.images.sites):
        for n, code in enumerate(site.licences):
            yield from _check_name(code, "licences", licences, ("images", "sites", s, "licences", n))


def _release_faults(checked: _File) -> Iterator[Fault]:
    """Find kinds that are not there, and samples that would show answers which the public files withhold."""
    for n, kind in enumerate(checked.release.per_task):
        yield from _check_name(kind, "kinds", list(checked.kinds), ("release", "per_task", n))
    samples = checked.publication.samples if checked.publication else None
    if samples is None or not samples.answers:
        return
    for n, split in enumerate(samples.splits):
        if split in checked.release.withheld:
            expected = f"no samples with answers of {split}, whose answers release.withheld names"
            yield Fault(("publication", "samples", "splits", n), expected, "samples_withheld", {"split": split})


def _unknown_names(checked: _File, available: AvailableNames) -> Iterator[Fault]:
    """Find references to missing things outside the file."""
    taxonomy, release, evaluation = checked.taxonomy, checked.release, checked.evaluation
    references: list[tuple[tuple[str | int, ...], object]] = [(("taxonomy", "list"), taxonomy.list)]
    references += [(("taxonomy", "axes", n, "list"), axis.list) for n, axis in enumerate(taxonomy.axes)]
    for path, reference in references:
        if isinstance(reference, str):
            yield from _check_name(reference, "lists", available.taxonomies, path)
    yield from _check_name(taxonomy.pairs, "lists of pairs", available.pairs, ("taxonomy", "pairs"))
    for part, what, names, available_names in (
        ("release", "gates", release.gates, available.gates),
        ("release", "exporters", release.exporters, available.exporters),
        ("evaluation", "systems", evaluation.systems, available.systems),
        ("evaluation", "suites", evaluation.suites, available.suites),
    ):
        for n, name in enumerate(names):
            for fault in _check_name(name, what, available_names, (part, what, n)):
                hint = f"; what is not built yet stands under {part}.planned.{what}"
                yield fault._replace(
                    expected=fault.expected + hint,
                    code="name_not_built",
                    params=fault.params | {"planned": f"{part}.planned.{what}"},
                )


def _check_name(
    name: str | None, what: str, available_names: Collection[str], path: tuple[str | int, ...]
) -> Iterator[Fault]:
    if name is not None and name not in available_names:
        names = ", ".join(available_names)
        yield Fault(path, f"one of the {what} {names}, got {name!r}", "name_unknown", {"names": names, "got": name})


def _settings_of(kinds: object) -> Iterable[tuple[str, Any]]:
    return kinds.items() if isinstance(kinds, dict) else ()
