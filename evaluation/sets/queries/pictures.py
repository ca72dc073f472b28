"""The pictures of items, as systems may see them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from curation.images.models import Rendition, current_renditions, ticked


class CleanPicture(NamedTuple):
    """The current file of a picture: its row, its key in the store, and its digest."""

    rendition_id: int
    key: str
    sha256: str


def clean_pictures(image_ids: Collection[int]) -> dict[int, CleanPicture]:
    """The current clean file of each picture that a person has looked at since anything was covered in it.

    Before that only its contributor and curators see it, and so no system, which may be at a provider.
    """
    current = Rendition.objects.filter(current_renditions(), ticked("image"), image__in=image_ids, role="clean")
    rows = current.values_list("image_id", "pk", "key", "sha256")
    return {image_id: CleanPicture(pk, key, sha256) for image_id, pk, key, sha256 in rows}
