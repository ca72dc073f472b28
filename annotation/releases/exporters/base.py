"""What an exporter is given and what it owes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Split:
    """A split and what it holds.

    Attributes:
        percent: Its share by the protocol; None where the protocol divides in another way.
        first: Ordinal of its first item; a split's items follow one another.
        bytes: Size of the pictures, each as often as items lie on it.
        withheld: Whether its answers are kept back in a file of their own.
    """

    name: str
    percent: int | None
    images: int
    items: int
    first: int = 1
    bytes: int = 0
    withheld: bool = False

    @property
    def rows(self) -> range:
        """Ordinals of its items."""
        return range(self.first, self.first + self.items)


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
        digest: sha256 of all records, answers included, one after another in the order of the splits.
        event_id: The newest audit event the snapshot reflects.
        consent: What contributors agreed to: ``version``, ``sha256``, ``donors``; empty where nothing is asked.
        previous: Label of the release that this one is compared with; empty for the first of its kind.
        changes: ``added``, ``removed``, ``changed`` → number of items.
        left_out: What stayed outside when it was frozen, by code → how many.
        notes: What the team says about the release.
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
    consent: Mapping[str, Any] = field(default_factory=dict)
    previous: str = ""
    changes: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: str = ""

    @property
    def split_names(self) -> tuple[str, ...]:
        """In order."""
        return tuple(s.name for s in self.splits)

    @property
    def rows(self) -> range:
        """Ordinals of all items."""
        return range(1, 1 + sum(s.items for s in self.splits))


class File(NamedTuple):
    """A file that an exporter will write.

    Attributes:
        rows: Ordinals of the records it reads, or as many numbers as it has lines of another kind.
        passes: How often it reads them.
        pictures: Bytes of the pictures that go into it.
        is_key: It holds answers that the public files withhold.
    """

    name: str
    rows: range = range(0)
    passes: int = 1
    pictures: int = 0
    is_key: bool = False

    @property
    def steps(self) -> int:
        """How much of the job's progress it is."""
        return len(self.rows) * self.passes


class Written(NamedTuple):
    """A file that is there."""

    sha256: str
    bytes: int
    is_key: bool = False


class Content(Protocol):
    """A release's data, read in constant memory."""

    facts: Facts

    def records(self, rows: range) -> Iterator[dict[str, Any]]:
        """Published records by ordinal, in order; withheld answers are taken out."""
        ...

    def with_pictures(self, rows: range) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The same, each with its picture's file exactly as it is stored."""
        ...

    def keys(self, rows: range) -> Iterator[dict[str, Any]]:
        """Of the same items the answers alone, each with the names of its item and picture."""
        ...

    def changes(self, rows: range) -> Iterator[dict[str, Any]]:
        """Lines of the list of changes, counted from 0."""
        ...

    def written(self) -> Mapping[str, Written]:
        """Files of earlier exporters by name."""
        ...


class Out(Protocol):
    """Where a file goes. It may have been begun by a process that was cut off.

    Attributes:
        file: Takes the bytes; what was written up to the last kept mark stands in it already.
        done: Steps that the bytes standing in it stand for: 0, or what :meth:`mark` was given.
        state: What :meth:`mark` was given beside it, None at the beginning.
    """

    file: BinaryIO
    done: int
    state: Any

    def mark(self, done: int, state: Any = None) -> None:
        """Say that after ``done`` steps everything so far is whole, and what is needed to go on from here.

        Cheap: only some marks are kept. ``state`` must survive JSON. A format that never marks is begun anew.
        """
        ...


class Exporter(Protocol):
    """One format. Equal content gives equal bytes: no clock, no machine, no unordered listing enters a file."""

    def files(self, facts: Facts) -> Sequence[File]:
        """The files, in order; none where the format has nothing for the kind."""
        ...

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one of :meth:`files`, from ``out.done`` to its end."""
        ...
