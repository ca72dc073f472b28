"""The interface of tracks, which decide who creates, writes and accepts items. Each has a room above this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db.models import Q, QuerySet

from annotation.items.models import Item, ItemRevision
from annotation.kinds.context import Context
from curation.benchmarks.models import Benchmark
from curation.core.transitions import Table
from curation.people.models import Person


@dataclass(slots=True)
class Held:
    """An item that is locked for a person's work on it.

    Attributes:
        item: The locked item.
        protocol_id: The protocol version whose rules apply to it.
        context: The context of its content, from :func:`annotation.items.queries.context_of`.
        guidelines: The kind's guidelines as :func:`annotation.items.queries.guidelines_read` lists them for the person.
        place: The track's own row of the item, for :meth:`Track.written`.
        ids: Ids for the audit log, such as that of the item's package.
        action: The move in the track's table that a submission makes.
        colleagues: The text of a colleague that the person edits, so that submitting it unchanged is refused.
    """

    item: Item
    protocol_id: int
    context: Context
    guidelines: Sequence[Mapping[str, Any]]
    place: Any = None
    ids: Mapping[str, int] = field(default_factory=dict)
    action: str = "submit"
    colleagues: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The package, or another group of items of its track, that an item is in or was in last.

    Attributes:
        id: Its id.
        label: Its name as people see it.
        state: Its state, one of those of the track's groups.
        protocol_id: The protocol version whose rules apply to its items; None if the item is no longer in it.
    """

    id: int
    label: str
    state: str
    protocol_id: int | None


class Track(Protocol):
    """One track; :mod:`annotation.tracks.registry` lists all of them."""

    @property
    def name(self) -> str:
        """The name in the protocol and in ``Item.track``."""
        ...

    @property
    def by_team(self) -> bool:
        """Whether its items belong to teams: to that of their picture, in as many slots as the protocol allows."""
        ...

    @property
    def chooses_slots(self) -> bool:
        """Whether people create its items one by one, in the first free slot of a picture."""
        ...

    @property
    def takes_imported_drafts(self) -> bool:
        """Whether a draft from a file reaches someone who continues it."""
        ...

    @property
    def table(self) -> Table:
        """The state table of its items."""
        ...

    def opens(self, person: Person) -> Q:
        """The condition on items of this track which a person's own part in the work lets them open."""
        ...

    def shows_picture(self, person: Person) -> Q:
        """The condition on pictures which a person's work in this track lets them see."""
        ...

    def annotated(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Add to rows of items, also of other tracks, what :meth:`place` and :meth:`actions` read; no statement."""
        ...

    def place(self, item: Any) -> Place | None:
        """The group that a row of :meth:`annotated` is in or was in last; None in a track without groups."""
        ...

    def actions(self, person: Person, item: Any) -> list[str]:
        """The operations that the track lets a person do now on a row of :meth:`annotated`; at most one statement."""
        ...

    def unseen_verdicts(self, person: Person, benchmark_id: int, kind: str) -> Q:
        """The condition on a benchmark's verdicts on items of a kind which a person must not see yet."""
        ...

    def lock(self, person: Person, item_id: int, operation: str) -> Held:
        """Lock an item of this track for a person's work.

        Raises:
            NotFound: It is in another track, or out of the person's reach.
            DomainError: The track does not allow the person ``operation`` now.
        """
        ...

    def written(self, held: Held, revision: ItemRevision) -> None:
        """Update the track's own rows after the person submitted a revision of a held item."""
        ...

    def imported(self, item: Item, revision: ItemRevision) -> None:
        """Update the track's own rows after a text from a file was written, by the person who imported it."""
        ...

    def excluded(self, item: Item) -> None:
        """Update the track's own rows after an accepted item was excluded by decision."""
        ...

    def complete_import(
        self, *, actor: Person, benchmark: Benchmark, kind: str, data: Mapping[str, Any], heartbeat: Callable[[], None]
    ) -> None:
        """Do what follows once all texts of a file are written; safe to run twice, in transactions of its own.

        Args:
            actor: The person who imported it.
            benchmark: The benchmark.
            kind: The kind of work.
            data: Further data for the audit log.
            heartbeat: To be called in each transaction, so that the job's lease does not expire.
        """
        ...
