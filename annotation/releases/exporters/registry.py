"""Every format this version can write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.releases.exporters import card, checksums, jsonl, licences, parquet
from annotation.releases.exporters.base import Exporter
from curation.core.registry import Registry

# A protocol chooses among these (``release.exporters``).
DATA: Final[Registry[Exporter]] = Registry("export format", {"jsonl": jsonl.EXPORTER, "parquet": parquet.EXPORTER})
# These stand beside whatever was chosen; each may name the files of those before it.
ALWAYS: Final[Sequence[Exporter]] = (licences.EXPORTER, card.EXPORTER, checksums.EXPORTER)


def chosen(names: Sequence[str]) -> list[Exporter]:
    """The exporters of a release, in the order in which they write.

    Raises:
        UnknownEntry: The protocol names a format that does not exist.
    """
    return [*(DATA[name] for name in dict.fromkeys(names)), *ALWAYS]
