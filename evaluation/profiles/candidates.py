"""The hundred answers a dialogue's question is asked with (CVLUE section 5; Das et al. 2017, section 4.1).

The right answer; plausible ones, answers to the most similar questions; popular ones, the most frequent; random ones.
All texts are different, none of the plausible ones comes from the same picture, and the same seed gives the same sets.

Questions are compared by the characters, pairs and triples of them that they share, weighted by how rare these are:
Chinese needs no cutting into words for it, it is quick for a hundred thousand questions, and anybody can repeat it
without a model. (The published sets took hidden states of a model that is not published.)
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

SIZE: Final = 100
PLAUSIBLE: Final = 49
POPULAR: Final = 30
_GRAMS: Final = (1, 2, 3)
_AT_ONCE: Final = 512  # questions compared at once: 512 x 100,000 similarities are 200 MB
# So many of the nearest are looked at before those of the same picture and repeated answers are passed over.
_LOOKED_AT: Final = 400


class Turn(NamedTuple):
    """A question about a picture, with its answer."""

    id: str
    image: str
    question: str
    answer: str


class CandidateSet(NamedTuple):
    """What a question is asked with: a hundred different texts in drawn order; ``gold`` is the right one's place."""

    id: str
    candidates: tuple[str, ...]
    gold: int


class TooFewAnswers(ValueError):
    """There are fewer than a hundred different answers."""


def candidate_sets(turns: Sequence[Turn], *, seed: int) -> Iterator[CandidateSet]:
    """One set for each turn, in order.

    Raises:
        TooFewAnswers: See there.
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
    wanted = sorted({place[turn.question] for turn in turns})
    nearest: dict[int, npt.NDArray[np.int64]] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        block = wanted[start : start + _AT_ONCE]
        nearest.update(zip(block, _nearest(vectors, block), strict=True))
    for turn in turns:
        # Of the turn's own, not of its place: leaving another one out changes nothing here.
        drawn = random.Random(hashlib.sha256(f"{seed}:{turn.id}".encode()).digest())  # noqa: S311  (repeatable)
        chosen = {turn.answer: None}
        for near in nearest[place[turn.question]]:
            if len(chosen) > PLAUSIBLE:
                break
            if questions[near] == turn.question:
                continue
            others = [turns[i].answer for i in by_question[questions[near]] if turns[i].image != turn.image]
            fresh = sorted(set(others) - chosen.keys())
            if fresh:
                chosen[drawn.choice(fresh)] = None
        chosen |= dict.fromkeys(popular)
        while len(chosen) < SIZE:
            chosen[drawn.choice(every)] = None
        # More plausible and popular ones than there is room for cannot be: 1 + 49 + 30 = 80.
        texts = list(chosen)
        drawn.shuffle(texts)
        yield CandidateSet(turn.id, tuple(texts), texts.index(turn.answer))


def _vectors(questions: Sequence[str]) -> sparse.csr_matrix:
    """Unit rows of tf-idf over runs of one to three characters."""
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
    seen = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log((1 + len(questions)) / (1 + seen[counts.indices])).astype(np.float32) + 1
    lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    return sparse.diags(1 / np.maximum(lengths, 1e-12)).astype(np.float32) @ counts


def _nearest(vectors: sparse.csr_matrix, block: Sequence[int]) -> list[npt.NDArray[np.int64]]:
    """For each question of a block the most similar ones, best first; of equal ones the earlier."""
    alike = (vectors[list(block)] @ vectors.T).toarray()
    found = []
    for row in alike:
        some = min(_LOOKED_AT, len(row))
        floor = np.partition(row, len(row) - some)[len(row) - some]
        close = np.flatnonzero(row >= floor)
        found.append(close[np.lexsort((close, -row[close]))][:some])
    return found
