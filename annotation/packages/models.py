"""Packages: batches of items that one person writes, one senior reviews and one inspector samples."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from annotation.items.models import Item
from annotation.kinds.registry import package_label
from annotation.tallies.models import counting
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.people.models import Person


class Package(models.Model):
    """A batch of items of one kind. ``revision`` counts its moves; every command carries the one it was based on.

    The items of a ``pooled`` package are reviewed one by one by the holders of seats, so it has no reviewer.
    """

    class State(models.TextChoices):
        """States of a package."""

        AVAILABLE = "available"
        ASSIGNED = "assigned"
        WORKING = "working"
        HANDED_OVER = "handed_over"
        REVIEWING = "reviewing"
        INSPECTING = "inspecting"
        RETURNED = "returned"
        PASSED = "passed"
        WITHDRAWN = "withdrawn"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="packages", db_index=False)
    kind = models.CharField(max_length=24)
    number = models.PositiveIntegerField()
    protocol = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=16, choices=State, default=State.AVAILABLE)
    assignee = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    pooled = models.BooleanField(default=False)
    round = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    state_changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "kind", "number"], name="package_number_once"),
            models.CheckConstraint(
                condition=Q(reviewer__isnull=True) | ~Q(reviewer=F("assignee")), name="package_not_own_review"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["available", "withdrawn"]) | Q(assignee__isnull=False),
                name="package_has_assignee",
            ),
            models.CheckConstraint(
                condition=~Q(state="available") | Q(assignee__isnull=True), name="package_available_is_free"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["reviewing", "inspecting", "passed"])
                | Q(reviewer__isnull=False)
                | Q(pooled=True),
                name="package_has_reviewer",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "available",
                        "assigned",
                        "working",
                        "handed_over",
                        "reviewing",
                        "inspecting",
                        "returned",
                        "passed",
                        "withdrawn",
                    ]
                ),
                name="package_state",
            ),
            models.UniqueConstraint(
                fields=["benchmark", "kind", "assignee"], condition=Q(state="working"), name="package_one_working"
            ),
        ]
        indexes = [
            models.Index(
                fields=["benchmark", "kind", "number"], condition=Q(state="available"), name="package_available"
            ),
            # For lists of one kind, lists over all kinds, and the time that packages have been in a state.
            models.Index(fields=["benchmark", "kind", "state", "number"], name="package_by_state"),
            models.Index(fields=["benchmark", "id"], name="package_in_order"),
            models.Index(fields=["benchmark", "state", "id"], name="package_by_state_in_order"),
            models.Index(fields=["benchmark", "kind", "state", "state_changed_at"], name="package_by_age"),
            models.Index(fields=["benchmark", "state_changed_at", "id"], name="package_by_change"),
            models.Index(fields=["assignee", "state"], name="package_of_assignee"),
        ]
        triggers = counting("package")

    @property
    def label(self) -> str:
        """Its name as people see it: ``cap-pkg-0007``."""
        return package_label(self.kind, self.number)


class PackageItem(models.Model):
    """An item's place in a package.

    ``checked_no`` is the revision that the annotator ticked at self-check. ``sent_back`` is set while the item is
    returned: ``{"stage", "reasons", "comment", "by_id"}`` of the verdict, until the item is submitted again.
    ``skipped`` is set if the annotator skipped the item: ``{"reasons", "comment", "by_id", "at"}``, and
    ``agreed_by_id`` once a reviewer agreed.
    """

    pk = models.CompositePrimaryKey("package_id", "item_id")
    package = models.ForeignKey(Package, on_delete=models.PROTECT, related_name="members")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="memberships")
    position = models.PositiveIntegerField()
    active = models.BooleanField(default=True)
    checked_no = models.PositiveIntegerField(null=True)
    sent_back = models.JSONField(null=True)
    skipped = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["package", "position"], name="package_item_position_once"),
            models.UniqueConstraint(fields=["item"], condition=Q(active=True), name="package_item_one_active"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="packed_new",
                level=pgtrigger.Statement,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
                func=(
                    "update annotation_item i set packed = true from new_rows n "
                    "where i.id = n.item_id and n.active; return null;"
                ),
            ),
            pgtrigger.Trigger(
                name="packed_moved",
                when=pgtrigger.After,
                operation=pgtrigger.UpdateOf("active"),  # type: ignore[no-untyped-call]
                condition=pgtrigger.Q(new__active__df=pgtrigger.F("old__active")),
                func="update annotation_item set packed = new.active where id = new.item_id; return null;",
            ),
            pgtrigger.Trigger(
                name="packed_gone",
                when=pgtrigger.After,
                operation=pgtrigger.Delete,
                condition=pgtrigger.Q(old__active=True),
                func="update annotation_item set packed = false where id = old.item_id; return null;",
            ),
        ]
