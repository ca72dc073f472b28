"""Assigning many packages to one person, and revoking assignments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.services.action import Checked, in_blocks, targets_to_notify
from annotation.packages import queries, services
from annotation.packages.models import Package
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from curation.people.services import notify


class _OfPackages:
    def rows(
        self, actor: Person, benchmark: Benchmark, *, ids: Sequence[int] | None, filters: dict[str, Any], limit: int
    ) -> list[int]:
        chosen = queries.PackageFilters(**filters)
        return queries.listed_package_ids(actor, benchmark, ids=ids, limit=limit, filters=chosen)


class Assign(_OfPackages):
    """Assigns free packages to an annotator."""

    def check(
        self, actor: Person, benchmark: Benchmark, ids: Sequence[int], params: Mapping[str, Any]
    ) -> Iterator[Checked]:
        for block in in_blocks(ids):
            packages = Package.objects.filter(pk__in=block).order_by("pk")
            refusals = services.assignment_refusals(actor, benchmark, packages, params["person"])
            for package in packages:
                yield Checked(package.pk, package.label, {"revision": package.revision}, refusals.get(package.pk))

    def apply(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        _assign(actor, target, params["person"], target.was["revision"], client_key)

    def undo(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        _revoke(actor, target, target.was["revision"] + 1, client_key)

    def notify(self, bulk: Bulk, actor: Person, outcome: str) -> None:
        assigned = outcome == BulkTarget.Outcome.DONE
        _notify(bulk, actor, bulk.params["person"], targets_to_notify(bulk, outcome), assigned=assigned)


class Revoke(_OfPackages):
    """Revokes assignments. Undone, a package is assigned to the same person again, who has to claim it."""

    def check(
        self, actor: Person, benchmark: Benchmark, ids: Sequence[int], params: Mapping[str, Any]
    ) -> Iterator[Checked]:
        for block in in_blocks(ids):
            for package in Package.objects.filter(pk__in=block).order_by("pk"):
                was = {"revision": package.revision, "person": package.assignee_id}
                yield Checked(package.pk, package.label, was, services.revocation_refusal(actor, package))

    def apply(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        _revoke(actor, target, target.was["revision"], client_key)

    def undo(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        _assign(actor, target, target.was["person"], target.was["revision"] + 1, client_key)

    def notify(self, bulk: Bulk, actor: Person, outcome: str) -> None:
        by_person: dict[int, list[BulkTarget]] = {}
        for target in targets_to_notify(bulk, outcome):
            by_person.setdefault(target.was["person"], []).append(target)
        for person, targets in by_person.items():
            _notify(bulk, actor, person, targets, assigned=outcome == BulkTarget.Outcome.UNDONE)


def _assign(actor: Person, target: BulkTarget, person: int, revision: int, client_key: UUID) -> None:
    services.assign_package(
        actor=actor, package_id=target.target_id, person=person, revision=revision, client_key=client_key, quietly=True
    )


def _revoke(actor: Person, target: BulkTarget, revision: int, client_key: UUID) -> None:
    services.revoke_assignment(
        actor=actor, package_id=target.target_id, revision=revision, client_key=client_key, quietly=True
    )


def _notify(bulk: Bulk, actor: Person, person: int, targets: Sequence[BulkTarget], *, assigned: bool) -> None:
    if not targets:
        return
    params: dict[str, Any] = {"package": targets[0].label, "count": len(targets)}
    if not assigned:
        params["comment"] = bulk.params.get("comment", "")
    notify(
        person_ids=[person],
        code="packages_assigned" if assigned else "packages_taken_back",
        params=params,
        actor_id=actor.pk,
        benchmark_id=bulk.benchmark_id,
        target_type="package",
        target_id=targets[0].target_id,
    )
