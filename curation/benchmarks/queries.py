"""Reads of protocols: the presets that ship with the software, and parts of a benchmark's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from curation.benchmarks import rules
from curation.benchmarks.errors import PresetUnknown
from curation.benchmarks.models import Benchmark, ProtocolVersion

# Lists of pairs are in the folder of the lists of categories; their names end with this.
PAIRS_SUFFIX = "-pairs"


def available_names(*, added_systems: bool = False) -> rules.AvailableNames:
    """Return the names that a protocol may refer to.

    Args:
        added_systems: Include the systems that were added to the database; otherwise only those that ship.
    """
    systems = _stems("systems")
    if added_systems:
        systems += [slug for slug in rules.REGISTERED.added_systems() if slug not in systems]
    lists = _stems("taxonomies")
    return rules.AvailableNames(
        kinds=rules.REGISTERED.kinds,
        tracks=rules.REGISTERED.tracks,
        bases=rules.REGISTERED.bases,
        taxonomies=[name for name in lists if not name.endswith(PAIRS_SUFFIX)],
        pairs=[name for name in lists if name.endswith(PAIRS_SUFFIX)],
        systems=systems,
        **rules.REGISTERED.names,
    )


def read_protocol(path: Path) -> rules.Protocol:
    """Read and check a protocol file; needs no database.

    Raises:
        FileInvalid: With every fault by line and key.
        OSError, UnicodeDecodeError: The file cannot be read as text.
    """
    return rules.parse(path.read_text(encoding="utf-8"), available=available_names(), file=path.name)


def check_protocol(text: str) -> rules.Protocol:
    """Check a protocol's text; it may name systems that were added to the database.

    Raises:
        FileInvalid: With every fault by line and key.
    """
    return rules.parse(text, available=available_names(added_systems=True), file="protocol.yaml")


def presets() -> dict[str, rules.Protocol]:
    """Return every preset by name: the files under ``fixtures/protocols``."""
    return {name: preset(name) for name in _stems("protocols")}


def preset(name: str) -> rules.Protocol:
    """Return a preset.

    Raises:
        PresetUnknown: There is none of that name.
    """
    names = _stems("protocols")
    if name not in names:  # compared with a list of names, so that no name can lead out of the folder
        raise PresetUnknown(preset=name, known=names)
    path = Path(settings.FIXTURES) / "protocols" / f"{name}.yaml"
    read = _read_once(path, path.stat().st_mtime_ns)
    return replace(read, content=deepcopy(read.content))


def pair_list(name: str) -> rules.PairList:
    """Return a list of pairs of country and language that ships with the software.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return rules.parse_pairs(path.read_text(encoding="utf-8"), file=path.name)


def pairs_of(content: Mapping[str, Any]) -> list[rules.Pair]:
    """Return the pairs of country and language that a protocol's teams write for; empty if it names no list."""
    name = content.get("taxonomy", {}).get("pairs")
    return pair_list(name).pairs if name else []


def image_rules(benchmark: Benchmark) -> rules.Images:
    """Return the protocol's rules for pictures."""
    if benchmark.protocol is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    return rules.Images.model_validate(benchmark.protocol.content["images"])


@lru_cache(maxsize=256)
def names_dialogue(protocol_id: int) -> bool:
    """Return whether a protocol version names dialogues, also if people cannot work on them yet.

    Who was sent which picture is recorded from then on, because a person who asks about a picture may not have seen it.
    Cached, because a version never changes.
    """
    content = ProtocolVersion.objects.values_list("content", flat=True).get(pk=protocol_id)
    return "dialogue" in content.get("kinds", {}) or "dialogue" in content.get("planned", {})


def donor_uses(benchmark: Benchmark) -> str:
    """Return what contributors declare about each of their own pictures: ``ask``, ``waive`` or ``none``."""
    consent = benchmark.protocol.content.get("consent") if benchmark.protocol else None
    return str(consent["donors"]["uses"]) if consent else "none"


@lru_cache(maxsize=16)
def _read_once(path: Path, changed_at: int) -> rules.Protocol:
    # Cached by the time of the last change: reading takes 0.1 s, and the page of presets reads all of them.
    return read_protocol(path)


def _stems(folder: str) -> list[str]:
    return sorted(path.stem for path in (Path(settings.FIXTURES) / folder).glob("*.yaml"))
