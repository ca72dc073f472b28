"""The order in which entries are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from evaluation.suites.rules import Entry


def in_chunks(entries: Iterable[Entry], length: Callable[[Entry], int], size: int) -> list[list[Entry]]:
    """Group entries by picture, and the pictures into chunks; a picture is never split.

    All questions and shifts of a picture stay together and in their order, because they share its features and the
    beginning of the prompt. The pictures with the longest texts come first: batches then hold texts of like length, a
    batch that does not fit into memory fails at the start, and the expected end is rather too late than too early.

    Args:
        entries: All entries.
        length: The length of an entry's prompt in characters.
        size: How many entries a chunk has at most, unless one picture has more.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.picture, []).append(entry)
    longest = {picture: max(map(length, group)) for picture, group in groups.items()}
    chunks: list[list[Entry]] = []
    for picture in sorted(groups, key=lambda picture: (-longest[picture], picture)):
        if chunks and len(chunks[-1]) + len(groups[picture]) <= size:
            chunks[-1] += groups[picture]
        else:
            chunks.append(list(groups[picture]))
    return chunks


def slices(rows: Sequence[str], size: int) -> list[list[str]]:
    """Cut a list into parts of a size; the last one may be shorter."""
    return [list(rows[first : first + size]) for first in range(0, len(rows), size)]
