"""Reads of protocols: the presets that ship with the software, and what a benchmark's protocol says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from pydantic import BaseModel

from curation.benchmarks import rules
from curation.benchmarks.errors import PresetUnknown
from curation.benchmarks.models import Benchmark


def kinds() -> Mapping[str, type[BaseModel]]:
    """The settings model of every kind of work that is built."""
    built: Mapping[str, Any] = import_string(settings.PROTOCOL_KINDS)
    return {name: kind.settings for name, kind in built.items()}


def read_protocol(path: Path) -> rules.Protocol:
    """Read and check a protocol file.

    Raises:
        FileInvalid: With every fault by line and key.
        OSError, UnicodeDecodeError: The file cannot be read as text.
    """
    return rules.parse(path.read_text(encoding="utf-8"), kinds=kinds(), file=path.name)


def presets() -> dict[str, rules.Protocol]:
    """Every preset by name: the files under ``fixtures/protocols``."""
    found = (read_protocol(path) for path in sorted(_folder().glob("*.yaml")))
    return {protocol.name: protocol for protocol in found}


def preset(name: str) -> rules.Protocol:
    """One preset.

    Raises:
        PresetUnknown: There is none of that name.
    """
    known = [path.stem for path in sorted(_folder().glob("*.yaml"))]
    if name not in known:  # compared with a list of names, so that no name can lead out of the folder
        raise PresetUnknown(preset=name, known=known)
    return read_protocol(_folder() / f"{name}.yaml")


def image_rules(benchmark: Benchmark) -> rules.Images:
    """What the benchmark's protocol says about pictures."""
    if benchmark.protocol is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    return rules.Images.model_validate(benchmark.protocol.content["images"])


def _folder() -> Path:
    return Path(settings.FIXTURES) / "protocols"
