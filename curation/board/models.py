"""The board on which native speakers propose a benchmark's categories and curators decide (CVLUE, section 3.1)."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from curation.benchmarks.models import Benchmark
from curation.board.rules import ACTIONS, ENTRY_STATES, GROUPS, LONGEST_KEY, VOUCHINGS
from curation.core.models import AppendOnly
from curation.people.models import Person
from curation.taxonomy.models import CategoryListVersion

# When a transaction ends, the newest decision about a category is the one that led to its state. Decisions other than
# keeping have reasons (``board_event_says_why``), so nothing is removed without one.
_FOLLOWS_DECISIONS = pgtrigger.Trigger(
    name="follows_decisions",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state"),  # type: ignore[no-untyped-call]  # pgtrigger has no types
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    declare=[("decided", "text")],
    func="""
        select case v.action when 'remove' then 'removed' when 'merge' then 'merged' when 'replace' then 'merged'
                             when 'reopen' then 'proposed' else 'kept' end
        into decided from curation_boardevent v
        where v.entry_id = new.id and v.action in ('keep', 'add', 'remove', 'merge', 'replace', 'reopen')
        order by v.no desc limit 1;
        if exists (select from curation_boardentry e where e.id = new.id and e.state <> coalesce(decided, 'proposed'))
        then raise exception using errcode = 'check_violation', constraint = 'board_entry_decided',
            message = 'the state of category ' || new.id || ' follows from no decision';
        end if;
        return null;
    """,
)


class Board(models.Model):
    """A benchmark's board; once it is frozen, categories can only be added and their groups corrected."""

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, related_name="board")
    state = models.CharField(max_length=8, default="open", db_default="open")
    revision = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(state__in=["open", "frozen"]), name="board_state")]


class BoardDraft(models.Model):
    """A person's proposals, which nobody else sees before they are submitted; ``rows`` are emptied then."""

    pk = models.CompositePrimaryKey("board_id", "person_id")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="drafts", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    rows = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=0)
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(submitted_at=None) | Q(rows=[]), name="board_draft_submitted_once")
        ]


class BoardEntry(models.Model):
    """A proposed category of a field.

    ``key`` is what equal names have in common, ``group`` the corrected cultural distance (empty: as computed).
    ``slug`` is given when the list is frozen.
    """

    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="entries", db_index=False)
    field = models.CharField(max_length=48)
    key = models.CharField(max_length=LONGEST_KEY)
    name = models.JSONField()
    state = models.CharField(max_length=16, default="proposed")
    into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="merged")
    group = models.CharField(max_length=16, blank=True, default="")
    slug = models.CharField(max_length=64, blank=True, default="")
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board", "field", "key"], name="board_entry_once"),
            models.UniqueConstraint(fields=["board", "slug"], condition=~Q(slug=""), name="board_entry_slug_once"),
            models.CheckConstraint(condition=Q(state__in=ENTRY_STATES), name="board_entry_state"),
            models.CheckConstraint(
                condition=Q(state="merged", into__isnull=False) | (~Q(state="merged") & Q(into=None)),
                name="board_entry_merged_into",
            ),
            models.CheckConstraint(condition=Q(into=None) | ~Q(into=F("id")), name="board_entry_not_into_itself"),
            models.CheckConstraint(condition=Q(group__in=[*GROUPS, ""]), name="board_entry_group"),
        ]
        triggers = [_FOLLOWS_DECISIONS]

    @property
    def benchmark_id(self) -> int:
        """The benchmark, for the audit log."""
        return self.board.benchmark_id


class BoardProposal(AppendOnly):
    """A person, or an existing list, proposed a category. A person vouches for all four of ``VOUCHINGS``."""

    entry = models.ForeignKey(BoardEntry, on_delete=models.PROTECT, related_name="proposals")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    list = models.ForeignKey(CategoryListVersion, on_delete=models.PROTECT, null=True, related_name="+")
    name = models.JSONField()
    vouched = ArrayField(models.CharField(max_length=16))
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "person"], condition=Q(person__isnull=False), name="board_proposal_once"
            ),
            models.UniqueConstraint(
                fields=["entry", "list"], condition=Q(list__isnull=False), name="board_proposal_list_once"
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=False, list=None) | Q(person=None, list__isnull=False),
                name="board_proposal_by_one",
            ),
            models.CheckConstraint(
                condition=Q(person=None) | Q(vouched__contains=list(VOUCHINGS)), name="board_proposal_vouched"
            ),
        ]


class BoardEvent(AppendOnly):
    """What happened to a proposed category, in order; every decision but keeping it has a reason."""

    entry = models.ForeignKey(BoardEntry, on_delete=models.PROTECT, related_name="events", db_index=False)
    no = models.PositiveIntegerField()
    by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=16)
    reason = models.CharField(max_length=500, blank=True, default="")
    data = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["entry", "no"], name="board_event_in_order"),
            models.CheckConstraint(condition=Q(action__in=ACTIONS), name="board_event_action"),
            models.CheckConstraint(
                condition=Q(action__in=["propose", "keep"]) | Q(reason__regex=r"\S"), name="board_event_says_why"
            ),
        ]
        triggers = [
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="only_grows",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=(
                    "if new.action not in ('add', 'regroup') and exists"
                    " (select 1 from curation_boardentry e join curation_board b"
                    " on b.id = e.board_id where e.id = new.entry_id and b.state = 'frozen'"
                    " and (e.slug <> '' or new.action not in ('rename', 'remove')))"
                    " then raise exception using errcode = 'check_violation', constraint = 'board_only_grows',"
                    " message = 'the board is frozen'; end if; return new;"
                ),
            ),
        ]
