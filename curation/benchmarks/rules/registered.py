"""The names that the apps above this one add to what a protocol may refer to.

Kinds, exporters, gates, suites and systems belong to apps above this one, so those apps register them at start-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic import BaseModel


@dataclass(slots=True)
class Registered:
    """What the apps above registered.

    Attributes:
        kinds: The model of each kind's settings.
        tracks: The tracks in which each kind can be worked on.
        bases: The kind on whose accepted work each kind rests, for those that do.
        names: The names of each part that rarely changes: ``exporters``, ``gates``, ``suites``.
        added_systems: Reads the systems that were added to the database.
    """

    kinds: dict[str, type[BaseModel]] = field(default_factory=dict)
    tracks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    added_systems: Callable[[], Iterable[str]] = tuple


REGISTERED: Final = Registered()


def register_kinds(
    kinds: Mapping[str, type[BaseModel]], *, tracks: Mapping[str, tuple[str, ...]], bases: Mapping[str, str]
) -> None:
    """Register the kinds that protocols may have.

    Args:
        kinds: The model of each kind's settings.
        tracks: The tracks in which each can be worked on.
        bases: The kind on whose accepted work each rests, for those that do.
    """
    REGISTERED.kinds.update(kinds)
    REGISTERED.tracks.update(tracks)
    REGISTERED.bases.update(bases)


def register_names(*, systems: Callable[[], Iterable[str]] | None = None, **names: Iterable[str]) -> None:
    """Register names that protocols may use.

    Args:
        systems: Reads the systems that were added to the database.
        names: The names of each part: ``exporters``, ``gates``, ``suites``.
    """
    REGISTERED.names.update({part: tuple(known) for part, known in names.items()})
    if systems is not None:
        REGISTERED.added_systems = systems
