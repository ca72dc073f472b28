"""Seats: places to judge an item, as many as the protocol requires judges; held for minutes, done once."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.items.models import Item
from annotation.seats.rules import PURPOSES
from annotation.tallies.models import counting
from curation.benchmarks.models import Benchmark
from curation.people.models import Person


class Seat(models.Model):
    """One place to judge one item for one purpose and round.

    Constraints prevent over-assignment: an item has as many rows as the protocol requires judges, a person holds at
    most one of them, and ``hold_no`` (from 1 to the most seats that a person may hold) is unique among a person's held
    seats.

    ``lapsed_holder`` is the last person whose lease expired; until someone else claims the seat, their late verdict
    counts.

    ``group_id`` is the id of the item's package, of its team in the peer track, or of its judging in the panel track.
    Seats are claimed in the order of ``rank`` only, so that a claim scans a partial index on free seats and reads no
    held or done ones.
    """

    class State(models.TextChoices):
        """States of a seat."""

        FREE = "free"
        HELD = "held"
        DONE = "done"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=24)
    purpose = models.CharField(max_length=16)
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="seats", db_index=False)
    group_id = models.BigIntegerField()
    round = models.PositiveSmallIntegerField()
    no = models.PositiveSmallIntegerField()
    rank = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.FREE)
    holder = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    lapsed_holder = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    hold_no = models.PositiveSmallIntegerField(null=True)
    lease_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "purpose", "round", "no"], name="seat_once"),
            models.UniqueConstraint(
                fields=["item", "purpose", "round", "holder"], condition=Q(holder__isnull=False), name="seat_one_each"
            ),
            models.UniqueConstraint(
                fields=["holder", "benchmark", "purpose", "hold_no"],
                condition=Q(state="held"),
                name="seat_held_at_most",
            ),
            models.CheckConstraint(condition=Q(purpose__in=PURPOSES), name="seat_purpose"),
            models.CheckConstraint(condition=Q(state__in=["free", "held", "done"]), name="seat_state"),
            models.CheckConstraint(
                condition=Q(state="free", holder__isnull=True) | (~Q(state="free") & Q(holder__isnull=False)),
                name="seat_free_has_no_holder",
            ),
            models.CheckConstraint(
                condition=Q(state="held", lease_until__isnull=False, hold_no__isnull=False)
                | (~Q(state="held") & Q(lease_until__isnull=True, hold_no__isnull=True)),
                name="seat_held_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(lapsed_holder__isnull=True) | Q(state="free"), name="seat_lapsed_is_free"
            ),
        ]
        indexes = [
            models.Index(
                fields=["benchmark", "kind", "purpose", "rank"], condition=Q(state="free"), name="seat_free_by_rank"
            ),
            models.Index(fields=["group_id", "purpose", "rank"], condition=Q(state="free"), name="seat_free_of_group"),
            models.Index(fields=["lease_until"], condition=Q(state="held"), name="seat_held_by_lease"),
            models.Index(fields=["group_id", "purpose", "round"], name="seat_of_group"),
            models.Index(
                fields=["holder", "benchmark", "kind", "purpose", "rank"],
                condition=Q(holder__isnull=False),
                name="seat_of_holder",
            ),
        ]
        triggers = counting("seat")
