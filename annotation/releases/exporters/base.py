"""The interface of exporters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple, Protocol

from annotation.kinds.tree import RecordNode


@dataclass(frozen=True, slots=True)
class Split:
    """A split and its size.

    Attributes:
        percent: Its share in the protocol; None if the protocol divides by counts.
        first: Ordinal of its first item; a split's items are consecutive.
        bytes: Size of the pictures; a picture with several items counts several times.
        withheld: Whether its answers go to a separate file.
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
        """The ordinals of its items."""
        return range(self.first, self.first + self.items)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about one kind of a release, and about the release, frozen with it.

    Attributes:
        label: The release's name, ``captions-v1``.
        kind: The kind; the names of its data files begin with it.
        tree: The fields of their contents, under the release's protocol.
        title: The benchmark's title by language tag.
        language: Language of the content, as a BCP 47 tag; ``mul`` if each team has its own.
        licence: The data set's licence, an SPDX name if there is one.
        splits: Splits in the order of the files.
        licences: Licence of the kind's pictures → number of pictures.
        digest: sha256 of the kind's records with answers, concatenated in the order of the splits.
        event_id: The newest audit event that the snapshot includes.
        consent: The consent text that contributors agreed to: ``version``, ``sha256``, ``donors``; empty without one.
        columns: The occasional columns of its records.
        languages: Languages of the records, as BCP 47 tags in their order; empty if they do not name their own.
        option_seed: Determines the order in which options are printed.
        is_by_task: Whether pictures were divided over all instead of category by category.
        previous: Label of the previous release with the kind, for comparison; empty for the first.
        changes: ``added``, ``removed``, ``changed`` → number of items.
        left_out: Counts of what was not included when it was frozen, by code.
        blind_trials: The sums of its questions' blind trials; empty without any.
        notes: The team's notes on the release.
        canary: A text in the card by which copies of the data can be found.
    """

    label: str
    kind: str
    tree: RecordNode
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
    columns: Sequence[str] = ()
    languages: Sequence[str] = ()
    option_seed: int = 0
    is_by_task: bool = False
    previous: str = ""
    changes: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    blind_trials: Mapping[str, Any] = field(default_factory=dict)
    notes: str = ""
    canary: str = ""

    @property
    def split_names(self) -> tuple[str, ...]:
        """The names of the splits, in order."""
        return tuple(s.name for s in self.splits)

    @property
    def public_digest(self) -> str:
        """The digest for public files; empty if answers are withheld, because it would show which of few they are."""
        return "" if any(s.withheld for s in self.splits) else self.digest

    @property
    def rows(self) -> range:
        """The ordinals of the kind's items, which are consecutive."""
        first = self.splits[0].first if self.splits else 1
        return range(first, first + sum(s.items for s in self.splits))


@dataclass(frozen=True, slots=True)
class Whole:
    """Facts about a release as a whole.

    Attributes:
        kinds: Its kinds, in the order of the files; what they say about the release is the same.
        splits: Splits with the pictures of all kinds, each counted once, and the items of all kinds. Their items are
            not consecutive where there are several kinds.
        licences: Licence of pictures → number of pictures.
        digest: sha256 of all records with answers: kind by kind, and within a kind in the order of the splits.
    """

    kinds: Sequence[Facts]
    splits: Sequence[Split]
    licences: Mapping[str, int]
    digest: str

    @classmethod
    def of(cls, facts: Facts) -> Whole:
        """The whole of a release of one kind."""
        return cls([facts], facts.splits, facts.licences, facts.digest)

    @property
    def about(self) -> Facts:
        """What all kinds say about the release: its label, its benchmark, its protocol."""
        return self.kinds[0]

    @property
    def is_mixed(self) -> bool:
        """Whether it holds several kinds."""
        return len(self.kinds) > 1

    @property
    def rows(self) -> range:
        """The ordinals of all items."""
        return range(1, 1 + sum(s.items for s in self.splits))

    @property
    def public_digest(self) -> str:
        """As :attr:`Facts.public_digest`."""
        return "" if any(s.withheld for s in self.splits) else self.digest

    @property
    def languages(self) -> Sequence[str]:
        """The languages of all records, as BCP 47 tags in their order; empty if they do not name their own."""
        return sorted({tag for facts in self.kinds for tag in facts.languages})


class File(NamedTuple):
    """A file that an exporter will write.

    Attributes:
        rows: Ordinals of the records that it reads; for other content as many numbers as it has lines.
        passes: How often the exporter reads them.
        pictures: Size of the pictures in the file, in bytes.
        line: Size of a line, in bytes, where lines are far smaller than records.
        is_key: Whether the file has answers that the public files withhold.
        kind: The kind whose data it holds; empty for files about the release as a whole.
    """

    name: str
    rows: range = range(0)
    passes: int = 1
    pictures: int = 0
    line: int = 0
    is_key: bool = False
    kind: str = ""

    @property
    def steps(self) -> int:
        """The file's part of the job's progress."""
        return len(self.rows) * self.passes


class Written(NamedTuple):
    """A file that exists."""

    sha256: str
    bytes: int
    is_key: bool = False


class DrawnOptions(NamedTuple):
    """The options of a question in the order in which files print them.

    Attributes:
        options: The options, each with its text in each language.
        right: Position of the right one; None where the answer is withheld.
    """

    options: list[Mapping[str, str]]
    right: int | None


class StoredPicture(NamedTuple):
    """A picture of the release as it is stored.

    Attributes:
        path: Its path in the release.
        key: Its key in the store.
    """

    path: str
    key: str
    image_id: int
    content: bytes


class Content(Protocol):
    """A release's data of one kind, read in constant memory."""

    facts: Facts

    def records(self, rows: range) -> Iterator[dict[str, Any]]:
        """Yield published records by ordinal, in order, without withheld answers."""
        ...

    def with_pictures(self, rows: range) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Yield the same records, each with the bytes of its stored picture."""
        ...

    def keys(self, rows: range) -> Iterator[dict[str, Any]]:
        """Yield the answers alone of the same items, each with the names of its item and picture."""
        ...

    def drawn_options(self, rows: range, *, key: bool = False) -> Iterator[DrawnOptions]:
        """Yield the options of the same items, which are questions with options.

        Args:
            rows: Ordinals of the records.
            key: Whether the file is a key, which says of withheld answers too which option is right.
        """
        ...

    def written(self) -> Mapping[str, Written]:
        """Return the files of earlier exporters by name."""
        ...


class WholeContent(Protocol):
    """All data of a release, read in constant memory."""

    whole: Whole

    @property
    def kinds(self) -> Sequence[Content]:
        """The data of each kind, in order."""
        ...

    def first_records(self, rows: range) -> Iterator[dict[str, Any] | None]:
        """Yield for each item by ordinal its published record if it is its picture's first item, otherwise None."""
        ...

    def pictures(self, rows: range) -> Iterator[StoredPicture]:
        """Yield the picture of each item by ordinal; that of several items, several times."""
        ...

    def changes(self, rows: range) -> Iterator[dict[str, Any]]:
        """Yield lines of the list of changes, counted from 0."""
        ...

    def written(self) -> Mapping[str, Written]:
        """Return the files of earlier exporters by name."""
        ...

    def stored(self, name: str) -> tuple[str, int]:
        """Return the key of an earlier exporter's file in the store, and the CRC-32 of its content."""
        ...


class Out(Protocol):
    """The output file. An interrupted process may have written the first part of it.

    Attributes:
        file: The file object; it has the bytes up to the last checkpoint already.
        done: The number of steps in those bytes: 0, or the value given to :meth:`mark`.
        state: The state given to :meth:`mark` with it; None at the beginning.
    """

    file: BinaryIO
    done: int
    state: Any

    def mark(self, done: int, state: Any = None) -> None:
        """Record that everything up to ``done`` steps is complete, with the state needed to resume here.

        This is cheap, because few marks become checkpoints. ``state`` must be JSON. A format without marks restarts.
        """
        ...


class Exporter(Protocol):
    """A format of the data of one kind.

    Equal content gives equal bytes: no time, machine or unordered listing may enter a file.
    """

    def files(self, facts: Facts) -> Sequence[File]:
        """Return the files in order; none if the format does not apply to the kind."""
        ...

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one of :meth:`files`, from ``out.done`` to its end."""
        ...


class WholeExporter(Protocol):
    """As :class:`Exporter`, for files about the release as a whole."""

    def files(self, whole: Whole) -> Sequence[File]:
        """Return the files in order."""
        ...

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write one of :meth:`files`, from ``out.done`` to its end."""
        ...


@dataclass(frozen=True, slots=True)
class EachKind:
    """An exporter of the data of one kind, applied to each kind of a release."""

    exporter: Exporter

    def files(self, whole: Whole) -> Sequence[File]:
        """Return the files of each kind that the format applies to."""
        return [file._replace(kind=facts.kind) for facts in whole.kinds for file in self.exporter.files(facts)]

    def write(self, file: File, content: WholeContent, out: Out) -> None:
        """Write a file of its kind."""
        own = next(one for one in content.kinds if one.facts.kind == file.kind)
        self.exporter.write(file, own, out)
