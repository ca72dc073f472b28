"""The hundred candidate answers of a dialogue question (CVLUE section 5; Das et al. 2017, section 4.1).

A set has the right answer, plausible answers (to the most similar questions), popular ones (the most frequent) and
random ones. All texts differ, no plausible one comes from the same picture, and the same seed gives the same sets.

Similarity compares single characters, pairs and triples, weighted by rarity. That needs no word segmentation of
Chinese, is fast for a hundred thousand questions, and can be repeated without a model. (The published sets used hidden
states of an unpublished model.)
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

# One right answer, 49 plausible ones and 30 popular ones; random ones fill up the hundred.
SIZE: Final = 100
PLAUSIBLE: Final = 49
POPULAR: Final = 30
_GRAMS: Final = (1, 2, 3)
_BLOCK_SIZE: Final = 512  # questions per block: 512 x 100,000 similarities are 200 MB
# How many nearest questions are considered, including those of the same picture and with repeated answers.
_NEAREST_LIMIT: Final = 400


class Turn(NamedTuple):
    """A question about a picture, with its answer."""

    id: str
    image: str
    question: str
    answer: str


class CandidateSet(NamedTuple):
    """A question's candidates: a hundred different texts in random order; ``gold`` is the index of the right one."""

    id: str
    candidates: tuple[str, ...]
    gold: int


class TooFewAnswers(ValueError):
    """The turns have fewer than a hundred different answers."""


def candidate_sets(turns: Sequence[Turn], *, seed: int) -> Iterator[CandidateSet]:
    """Yield one set for each turn, in order.

    Raises:
        TooFewAnswers: The turns have fewer than a hundred different answers.
    """
    counted = Counter(turn.answer for turn in turns)
    if len(counted) < SIZE:
        raise TooFewAnswers(f"{len(counted)} different answers; {SIZE} are needed")
    popular = sorted(counted, key=lambda text: (-counted[text], text))[:POPULAR]
    every = sorted(counted)
    by_question: dict[str, list[int]] = defaultdict(list)
    for i, turn in enumerate(turns):
        by_question[turn.question].append(i)
    questions = sorted(by_question)
    place = {question: i for i, question in enumerate(questions)}
    vectors = _vectors(questions)
    needed = sorted({place[turn.question] for turn in turns})
    nearest: dict[int, npt.NDArray[np.int64]] = {}
    for start in range(0, len(needed), _BLOCK_SIZE):
        block = needed[start : start + _BLOCK_SIZE]
        nearest.update(zip(block, _nearest(vectors, block), strict=True))
    for turn in turns:
        # Seeded by the turn's id and not its position, so that removing another turn changes nothing here.
        generator = random.Random(hashlib.sha256(f"{seed}:{turn.id}".encode()).digest())  # noqa: S311  (repeatable)
        chosen = {turn.answer: None}
        for near in nearest[place[turn.question]]:
            if len(chosen) > PLAUSIBLE:
                break
            if questions[near] == turn.question:
                continue
            others = [turns[i].answer for i in by_question[questions[near]] if turns[i].image != turn.image]
            fresh = sorted(set(others) - chosen.keys())
            if fresh:
                chosen[generator.choice(fresh)] = None
        chosen |= dict.fromkeys(popular)
        while len(chosen) < SIZE:
            chosen[generator.choice(every)] = None
        # The first 1 + 49 + 30 = 80 always fit.
        texts = list(chosen)
        generator.shuffle(texts)
        yield CandidateSet(turn.id, tuple(texts), texts.index(turn.answer))


def _vectors(questions: Sequence[str]) -> sparse.csr_matrix:
    """Compute normalised tf-idf rows over runs of one to three characters."""
    vocabulary: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for question in questions:
        text = f" {question} "
        grams = [text[i : i + n] for n in _GRAMS for i in range(len(text) - n + 1)]
        columns += [vocabulary.setdefault(gram, len(vocabulary)) for gram in grams]
        ends.append(len(columns))
    shape = (len(questions), len(vocabulary))
    counts = sparse.csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=shape)
    counts.sum_duplicates()
    frequencies = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log((1 + len(questions)) / (1 + frequencies[counts.indices])).astype(np.float32) + 1
    lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    return sparse.diags(1 / np.maximum(lengths, 1e-12)).astype(np.float32) @ counts


def _nearest(vectors: sparse.csr_matrix, block: Sequence[int]) -> list[npt.NDArray[np.int64]]:
    """Return the most similar questions for each question of a block, best first; among equals the earlier."""
    similarities = (vectors[list(block)] @ vectors.T).toarray()
    nearest = []
    for row in similarities:
        count = min(_NEAREST_LIMIT, len(row))
        floor = np.partition(row, len(row) - count)[len(row) - count]
        candidates = np.flatnonzero(row >= floor)
        nearest.append(candidates[np.lexsort((candidates, -row[candidates]))][:count])
    return nearest
