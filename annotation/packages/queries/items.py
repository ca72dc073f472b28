"""Items with the package each is in."""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import JSONObject

from annotation.items.models import Item
from annotation.kinds.registry import package_label
from annotation.packages.models import PackageItem
from curation.images.access import image_for
from curation.people.models import Person


def items_of_image(person: Person, image_id: int) -> list[dict[str, Any]]:
    """The items made on a picture, with the package each is in or was in last.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = image_for(person, image_id, "image_items")
    place = PackageItem.objects.filter(item_id=OuterRef("pk")).order_by("-active", "-package_id")
    rows = Item.objects.filter(image=image).annotate(
        place=Subquery(place.values(row=JSONObject(id="package_id", number=F("package__number"), active="active"))[:1])
    )
    return [
        {
            "id": item.pk,
            "label": item.label,
            "kind": item.kind,
            "state": item.state,
            "revision_no": item.revision_no,
            "package": {"id": item.place["id"], "label": package_label(item.kind, item.place["number"])}
            if item.place
            else None,
        }
        for item in rows.order_by("kind", "slot", "number")[:100]
    ]
