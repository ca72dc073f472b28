"""Retrieval over a gold file: vectors of all pictures and texts, then ranked lists in both directions."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evaluation.answering.rules.order import slices
from evaluation.answering.rules.pictures import Pictures
from evaluation.backends.base import Embedder
from evaluation.suites.rules import Entry

#: The length of the lists; CVLUE's README asks for ten.
LONGEST: Final = 10
_PICTURES, _TEXTS = 32, 256  # inputs of a chunk
_QUERIES: Final = 512  # of one product: with 45,000 texts 90 MB

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

    def embed(self, chunk: tuple[str, list[str]], embedder: Embedder, pictures: Pictures) -> list[dict[str, Any]]:
        """Embed the inputs of a chunk."""
        of, names = chunk
        if of == "pictures":
            vectors = embedder.embed_images([pictures.load(name).image for name in names])
        else:
            vectors = embedder.embed_texts(names)
        return [{"key": name, "vector": _written(vector)} for name, vector in zip(names, vectors, strict=True)]

    def rows(self, entries: Sequence[Entry], vectors: Mapping[str, Mapping[str, Numbers]]) -> Iterator[dict[str, Any]]:
        """Yield the ranked list of each query, in the gold file's order, each query once."""
        pictures = np.stack([vectors["pictures"][name] for name in self.pictures])
        texts = np.stack([vectors["texts"][name] for name in self.texts])
        ranked = {
            "i2t": dict(zip(self.pictures, _ranked(pictures, texts, self.texts), strict=True)),
            "t2i": dict(zip(self.texts, _ranked(texts, pictures, self.pictures), strict=True)),
        }
        seen = set()
        for entry in entries:
            if (entry.type, entry.key) not in seen:
                seen.add((entry.type, entry.key))
                names = ranked[entry.type][entry.key]
                yield {"id": entry.key, **({"response": names} if names else {"error": "vector_not_finite"})}


def _ranked(queries: Numbers, gallery: Numbers, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the best names for each query; none for a query whose vector is no numbers."""
    for first in range(0, len(queries), _QUERIES):
        for scores in queries[first : first + _QUERIES] @ gallery.T:
            best = np.argsort(-scores, kind="stable")[:LONGEST]  # what is no number comes last
            yield [names[i] for i in best if np.isfinite(scores[i])]


def _written(vector: Numbers) -> str:
    return base64.b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()


def vector_of(text: str) -> Numbers:
    """Return the vector that the journal keeps as text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4")
