"""Retrieval over a gold file: vectors of all pictures and texts, then ranked lists in both directions."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evaluation.answering.rules.order import slices
from evaluation.answering.rules.pictures import Source
from evaluation.backends.base import Embedder
from evaluation.backends.errors import SystemRefusedInput
from evaluation.suites.rules import Entry

#: The length of the lists; CVLUE's README asks for ten.
LONGEST: Final = 10
_PICTURES, _TEXTS = 32, 256  # inputs of a chunk
_QUERIES: Final = 512  # of one product: with 45,000 texts 90 MB

#: The error of an input whose vector has something else than numbers in it, as runs name it.
NOT_FINITE: Final = "vector_not_finite"

Numbers = npt.NDArray[np.float32]


class Gallery:
    """What is embedded, in an order that does not follow the gold file: equal scores are ranked by it."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.pictures = sorted({entry.key for entry in entries if entry.type == "i2t"})
        self.texts = sorted(
            {entry.key for entry in entries if entry.type == "t2i"}, key=lambda text: (-len(text), text)
        )
        self.chunks = [("pictures", part) for part in slices(self.pictures, _PICTURES)]
        self.chunks += [("texts", part) for part in slices(self.texts, _TEXTS)]

    def embed(self, chunk: tuple[str, list[str]], embedder: Embedder, pictures: Source) -> list[dict[str, Any]]:
        """Embed the inputs of a chunk; one that the system refuses gets an error."""
        of, names = chunk

        def vectors(names: list[str]) -> Numbers:
            if of == "pictures":
                return embedder.embed_images([pictures.load(name).image for name in names])
            return embedder.embed_texts(names)

        try:
            return [_record(name, vector) for name, vector in zip(names, vectors(names), strict=True)]
        except SystemRefusedInput:
            pass  # one of them is refused: find it below
        records: list[dict[str, Any]] = []
        for name in names:
            try:
                records.append(_record(name, vectors([name])[0]))
            except SystemRefusedInput as error:
                records.append({"key": name, "error": error.code})
        return records

    def rows(self, entries: Sequence[Entry], chunks: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the ranked list of each query, in the gold file's order, each query once.

        A query without a vector has its error, and what has none is in no list.

        Args:
            entries: The queries.
            chunks: All chunks of the journal.
        """
        vectors: dict[str, dict[str, Numbers]] = {"pictures": {}, "texts": {}}
        errors: dict[tuple[str, str], str] = {}
        for chunk in chunks:
            for record in chunk["answers"]:
                if "error" in record:
                    errors[chunk["of"], record["key"]] = record["error"]
                else:
                    vectors[chunk["of"]][record["key"]] = _vector_of(record["vector"])
        ranked = {"i2t": _lists(vectors["pictures"], vectors["texts"])}
        ranked["t2i"] = _lists(vectors["texts"], vectors["pictures"])
        seen = set()
        for entry in entries:
            if (entry.type, entry.key) not in seen:
                seen.add((entry.type, entry.key))
                error = errors.get(("pictures" if entry.type == "i2t" else "texts", entry.key))
                yield {"id": entry.key} | ({"error": error} if error else {"response": ranked[entry.type][entry.key]})


def _lists(queries: Mapping[str, Numbers], gallery: Mapping[str, Numbers]) -> dict[str, list[str]]:
    """Return the best names of the gallery for each query, the best first."""
    if not queries or not gallery:
        return {name: [] for name in queries}
    names = list(gallery)
    left, right = np.stack(list(queries.values())), np.stack(list(gallery.values()))
    lists: list[list[str]] = []
    for first in range(0, len(left), _QUERIES):
        orders = (np.argsort(-scores, kind="stable") for scores in left[first : first + _QUERIES] @ right.T)
        lists += [[names[i] for i in order[:LONGEST]] for order in orders]
    return dict(zip(queries, lists, strict=True))


def _record(name: str, vector: Numbers) -> dict[str, Any]:
    return {"key": name} | ({"vector": _written(vector)} if np.isfinite(vector).all() else {"error": NOT_FINITE})


def _written(vector: Numbers) -> str:
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()


def _vector_of(text: str) -> Numbers:
    """Return the vector that the journal keeps as text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4")
