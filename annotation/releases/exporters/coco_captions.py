"""Captions in the MS-COCO format: pictures, then one entry per caption with the picture's number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.releases.exporters import coco
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out


def _captions(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for caption in record["captions"]:
        yield {"caption": caption}


class CocoCaptions:
    """The exporter of MS-COCO captions."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split, for captions only."""
        return coco.files(facts, "captions")

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's pictures and captions."""
        coco.write(file, content, out, _captions)


EXPORTER: Final[Exporter] = CocoCaptions()
