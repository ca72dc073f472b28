"""Items, and decisions to exclude them."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models.triggers import BASE_MOVED, CLICKED, COPY_MADE, ON_CLEAR_PICTURE, PASSED, VOUCHED
from annotation.kinds.registry import label
from annotation.tallies.models import counting, counting_on_pictures
from curation.benchmarks.models import Benchmark
from curation.core.models import AppendOnly
from curation.images.models import Image
from curation.people.models import Person, Team

# Reasons for excluding an item after which its slot is free again, so that another one can be written on the picture.
FREES_SLOT: Final = ("discard", "decision", "panel", "base")
_EXCLUDED_FOR: Final = ("picture", "skip", *FREES_SLOT)


class Item(models.Model):
    """A piece of work of one kind on one picture.

    ``revision_no`` is the number of the newest revision (0: nothing written yet), ``accepted_no`` that of the accepted
    revision. ``track`` names the rules by which it is written and accepted, ``team`` the team that writes it, which is
    its picture's; neither ever changes. Only items of the peer track need a team. ``excluded_for`` is the reason of an
    excluded item. ``restored_no`` is the newest revision at the time when the item was readmitted with its picture.
    ``packed`` is set while a package holds it.
    ``copy_no`` is 1 for the second of two items that different people do independently, so that their agreement can be
    measured. No release, suite or count has it.
    ``credited`` is the discarded item on the same picture whose text a member submitted again in this one: credit is
    that of its first author.
    """

    class State(models.TextChoices):
        """States of an item."""

        TODO = "todo"
        MADE = "made"
        SKIPPED = "skipped"
        RETURNED = "returned"
        ACCEPTED = "accepted"
        EXCLUDED = "excluded"

    class Track(models.TextChoices):
        """The tracks that items can be in; :mod:`annotation.tracks.registry` has what each does."""

        PACKAGE = "package"
        PEER = "peer"
        PANEL = "panel"
        PAIR = "pair"

    class Excluded(models.TextChoices):
        """Why an item is excluded.

        Its picture was withdrawn, a skip was agreed to, its team or author discarded it, a person who inspects decided
        so, it failed before a panel, or the work that it rests on was excluded.
        """

        PICTURE = "picture"
        SKIP = "skip"
        DISCARD = "discard"
        DECISION = "decision"
        PANEL = "panel"
        BASE = "base"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="items", db_index=False)
    kind = models.CharField(max_length=24)
    track = models.CharField(max_length=16, choices=Track, default=Track.PACKAGE, db_default=Track.PACKAGE)
    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="items")
    # Equal to the picture's by a composite foreign key (migration).
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)
    slot = models.PositiveSmallIntegerField(default=0)
    copy_no = models.PositiveSmallIntegerField(default=0, db_default=0)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.TODO)
    revision_no = models.PositiveIntegerField(default=0)
    accepted_no = models.PositiveIntegerField(null=True)
    excluded_for = models.CharField(max_length=16, choices=Excluded, blank=True, default="", db_default="")
    restored_no = models.PositiveIntegerField(null=True)
    # By a trigger of ``PackageItem``.
    packed = models.BooleanField(default=False, db_default=False)
    credited = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "kind", "image", "slot", "copy_no"],
                condition=~Q(excluded_for__in=FREES_SLOT),
                name="item_once",
            ),
            models.UniqueConstraint(fields=["benchmark", "kind", "number"], name="item_number_once"),
            models.CheckConstraint(
                condition=Q(state="accepted", accepted_no__isnull=False)
                | (~Q(state="accepted") & Q(accepted_no__isnull=True)),
                name="item_accepted_names_revision",
            ),
            models.CheckConstraint(
                condition=Q(accepted_no__isnull=True) | Q(accepted_no__lte=F("revision_no")),
                name="item_accepted_exists",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["todo", "made", "skipped", "returned", "accepted", "excluded"]),
                name="item_state",
            ),
            models.CheckConstraint(condition=Q(track__in=["package", "peer", "panel", "pair"]), name="item_track"),
            models.CheckConstraint(
                condition=Q(copy_no=0) | Q(copy_no=1, track="package"), name="item_copies_are_in_packages"
            ),
            models.CheckConstraint(condition=~Q(track="peer") | Q(team__isnull=False), name="item_peer_has_team"),
            models.CheckConstraint(
                condition=Q(state="excluded", excluded_for__in=_EXCLUDED_FOR)
                | (~Q(state="excluded") & Q(excluded_for="")),
                name="item_excluded_has_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["benchmark", "kind", "state", "number"], name="item_by_state"),
            # In the order of lists over all kinds, so that a page reads what it shows.
            models.Index(fields=["benchmark", "id"], name="item_in_order"),
            models.Index(fields=["benchmark", "state", "id"], name="item_by_state_in_order"),
            # What a build finds, however many items are in packages.
            models.Index(
                fields=["benchmark", "kind", "number"],
                condition=Q(packed=False, state__in=["todo", "returned"]),
                name="item_unpacked",
            ),
            models.Index(fields=["benchmark", "kind"], condition=Q(copy_no=1), name="item_copies"),
            models.Index(fields=["team", "kind", "state"], condition=Q(team__isnull=False), name="item_of_team"),
        ]
        triggers = [
            *counting("item"),
            *counting_on_pictures(FREES_SLOT),
            pgtrigger.ReadOnly(name="track_stays", fields=["track", "team", "copy_no"]),
            VOUCHED,
            PASSED,
            CLICKED,
            BASE_MOVED,
            ON_CLEAR_PICTURE,
            COPY_MADE,
        ]

    @property
    def is_restored(self) -> bool:
        """Whether it was returned because its picture was restored, and not submitted since."""
        return self.state == self.State.RETURNED and self.restored_no == self.revision_no

    @property
    def label(self) -> str:
        """Its name as people see it: ``cap-000123``."""
        return label(self.kind, self.number)


class Exclusion(AppendOnly):
    """The decision to exclude an accepted item, with its reason; such an item is never readmitted."""

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="exclusion")
    revision_no = models.PositiveIntegerField()
    excluded_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="exclusion_has_reason")]
