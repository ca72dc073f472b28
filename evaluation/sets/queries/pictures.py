"""The pictures of items, as systems may see them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import F, Q

from curation.images.models import Rendition


class CleanPicture(NamedTuple):
    """The current file of a picture: its row, its key in the store, and its digest."""

    rendition_id: int
    key: str
    sha256: str


def clean_pictures(image_ids: Collection[int]) -> dict[int, CleanPicture]:
    """The current clean file of each picture that a person has looked at since anything was covered in it.

    Before that only its contributor and curators see it, and so no system, which may be at a provider.
    """
    cleared = Q(image__pii_clear_by__isnull=False) | Q(image__shared_at__isnull=False)
    rows = Rendition.objects.filter(
        cleared, image__in=image_ids, role="clean", version=F("image__redaction_no") + 1
    ).values_list("image_id", "pk", "key", "sha256")
    return {image_id: CleanPicture(pk, key, sha256) for image_id, pk, key, sha256 in rows}
