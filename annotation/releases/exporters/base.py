"""What an exporter is given and what it owes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, Protocol


@dataclass(frozen=True, slots=True)
class Split:
    """A split and what it holds."""

    name: str
    percent: int
    images: int
    items: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a release as a whole; all of it frozen with it.

    Attributes:
        label: The release's name, ``captions-v1``.
        kind: Kind of its items; names of data files begin with it.
        title: The benchmark's title by language tag.
        language: Language of the content, as a BCP 47 tag.
        licence: The data set's licence, an SPDX name where there is one.
        splits: In the order of the files.
        licences: Licence of pictures → number of pictures.
        digest: sha256 of all records, one after another in the order of the splits.
        event_id: The newest audit event the snapshot reflects.
    """

    label: str
    kind: str
    slug: str
    title: Mapping[str, str]
    language: str
    licence: str
    protocol_name: str
    protocol_version: int
    protocol_sha256: str
    seed: int
    digest: str
    event_id: int
    frozen_at: datetime
    splits: Sequence[Split]
    licences: Mapping[str, int]

    @property
    def split_names(self) -> tuple[str, ...]:
        """In order."""
        return tuple(s.name for s in self.splits)


class Content(Protocol):
    """A release's data, read in constant memory."""

    facts: Facts

    def records(self, splits: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Published records of some splits, in order."""
        ...

    def with_pictures(self, splits: Sequence[str]) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The same, each with its picture's file exactly as it is stored."""
        ...

    def written(self) -> Mapping[str, str]:
        """Files of earlier exporters: name → sha256."""
        ...


class Exporter(Protocol):
    """One format. Equal content gives equal bytes: no clock, no machine, no unordered listing enters a file."""

    def files(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """Names of the files, each with the splits whose records it reads."""
        ...

    def write(self, name: str, content: Content, out: BinaryIO) -> None:
        """Write one of :meth:`files` from beginning to end."""
        ...
