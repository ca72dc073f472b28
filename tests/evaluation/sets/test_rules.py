"""Chunks of entries never split a picture."""

import pytest

from evaluation.sets.rules import in_chunks

# Numbers of entries with their pictures: two of one, one of another, three of a third, two without any.
ENTRIES = [(1, 7), (2, 7), (3, 8), (4, 9), (5, 9), (6, 9), (7, None), (8, None)]


@pytest.mark.parametrize(
    ("limits", "chunks"),
    [
        ({"size": 3}, [[1, 2, 3], [4, 5, 6], [7, 8]]),
        ({"size": 1}, [[1, 2], [3], [4, 5, 6], [7], [8]]),
        ({"pictures": 2}, [[1, 2, 3], [4, 5, 6, 7], [8]]),
        ({"pictures": 1}, [[1, 2], [3], [4, 5, 6], [7], [8]]),
        ({}, [[1, 2, 3, 4, 5, 6, 7, 8]]),
    ],
)
def test_a_chunk_has_some_entries_or_pictures_and_splits_none(limits, chunks):
    assert in_chunks(ENTRIES, **limits) == chunks
    assert in_chunks([], **limits) == []
