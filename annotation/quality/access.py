"""The only ways to get at items under review or inspection."""

from __future__ import annotations

from annotation.items.models import ItemRevision
from annotation.packages.models import Package, PackageItem
from annotation.quality.models import Inspection, Verdict
from curation.core.errors import NotFound, OwnWork
from curation.people.access import require
from curation.people.models import Person


def lock_member_for(person: Person, item_id: int, operation: str, state: str) -> PackageItem:
    """An item of a package in ``state``, the item locked, for somebody whose roles open the operation.

    Raises:
        NotFound, OperationNotAllowed.
    """
    member = (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item",), no_key=True)
        .filter(item_id=item_id, active=True, package__state=state)
        .first()
    )
    if member is None:
        raise NotFound
    require(person, member.package.benchmark_id, operation, member.package.kind)
    return member


def took_part(person: Person, package: Package) -> bool:
    """Whether somebody wrote or reviewed in a package, now or in an earlier round."""
    if person.pk in {package.assignee_id, package.reviewer_id}:
        return True
    wrote = ItemRevision.objects.filter(author=person, item__memberships__package=package)
    judged = Verdict.objects.filter(package=package, judge=person, stage="review")
    return wrote.exists() or judged.exists()


def inspection_for(person: Person, package: Package) -> Inspection:
    """The package's newest draw; before its result only for people who had no part in the package.

    Raises:
        NotFound: Nothing was drawn yet.
        OwnWork: The person wrote or reviewed in it, and the result is not out.
    """
    inspection = Inspection.objects.select_related("inspector").filter(package=package).order_by("-round").first()
    if inspection is None:
        raise NotFound
    if not inspection.outcome and took_part(person, package):
        raise OwnWork
    return inspection
