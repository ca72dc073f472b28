"""The candidate answers of a dialogue's question (CVLUE section 5; Das et al. 2017, section 4.1).

A set has the right answer, plausible answers (to the most similar questions), popular ones (the most frequent) and
random ones: a hundred, or all there are if the dialogues have fewer different answers. No two of a set say the same: of
texts that differ in nothing but punctuation, blanks, case or the width of characters, one is a candidate. No plausible
one comes from the same picture, and the same seed gives the same sets.

Similarity compares single characters, pairs and triples, weighted by rarity. That needs no word segmentation of
Chinese, is fast for a hundred thousand questions, and can be repeated without a model. (The published sets used hidden
states of an unpublished model.)
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from curation.core import text

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
    """A question's candidates: different texts in random order; ``gold`` is the index of the right one."""

    id: str
    candidates: tuple[str, ...]
    gold: int


@dataclass(frozen=True, slots=True)
class DrawnCandidates:
    """A question's candidates by their sorts, before they are ordered; no text is in two."""

    right: str
    plausible: tuple[str, ...]
    popular: tuple[str, ...]
    random: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        """All of them, the right one first."""
        return (self.right, *self.plausible, *self.popular, *self.random)


class TooFewAnswers(ValueError):
    """The turns have fewer than a hundred different answers."""


def says(answer: str) -> str:
    """Return the same for answers that say the same: letters and digits, without regard to their case and width."""
    return "".join(text.folded(answer)) or text.normalize("NFKC", answer).strip()


def count_answers(turns: Sequence[Turn]) -> int:
    """Count the different answers of turns."""
    return len({says(turn.answer) for turn in turns})


def require_answers(turns: Sequence[Turn]) -> None:
    """Refuse turns that do not fill a hundred candidates.

    Raises:
        TooFewAnswers.
    """
    if (count := count_answers(turns)) < SIZE:
        raise TooFewAnswers(f"{count} different answers; {SIZE} are needed")


def candidate_sets(
    turns: Sequence[Turn], *, seed: int | str, requested: Collection[str] | None = None
) -> Iterator[CandidateSet]:
    """Yield the candidates of turns, in order.

    The order of a set does not depend on which of its texts is right.

    Args:
        turns: All turns; their answers are what is drawn from.
        seed: Decides what is drawn at random, and the order.
        requested: Ids of the turns that get candidates; None: all do.
    """
    for turn_id, drawn in draw_candidates(turns, seed=seed, requested=requested):
        ordered = sorted(drawn.every, key=lambda one: hashlib.sha256(f"{seed}:{turn_id}:{one}".encode()).digest())
        yield CandidateSet(turn_id, tuple(ordered), ordered.index(drawn.right))


def draw_candidates(
    turns: Sequence[Turn], *, seed: int | str, requested: Collection[str] | None = None
) -> Iterator[tuple[str, DrawnCandidates]]:
    """Yield the id and the candidates of turns by their sorts; see :func:`candidate_sets`."""
    pool = _Pool(turns)
    chosen = [turn for turn in turns if requested is None or turn.id in requested]
    nearest = pool.nearest_to({turn.question for turn in chosen})
    for turn in chosen:
        # Seeded by the turn's id and not its position, so that removing another turn changes nothing here.
        generator = random.Random(hashlib.sha256(f"{seed}:{turn.id}".encode()).digest())  # noqa: S311  (repeatable)
        yield turn.id, pool.draw(turn, nearest[turn.question], generator)


class _Pool:
    """The questions and different answers of all turns."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._says = {turn.answer: says(turn.answer) for turn in turns}
        counted = Counter(turn.answer for turn in turns)
        frequency = Counter[str]()
        # Of several ways to write one answer the most frequent is the candidate.
        self._written: dict[str, str] = {}
        for answer, times in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            frequency[self._says[answer]] += times
            self._written.setdefault(self._says[answer], answer)
        self._popular = sorted(frequency, key=lambda key: (-frequency[key], self._written[key]))[:POPULAR]
        self._every = sorted(self._written, key=self._written.__getitem__)
        by_question: dict[str, list[int]] = defaultdict(list)
        for i, turn in enumerate(turns):
            by_question[turn.question].append(i)
        self._by_question = by_question
        self._questions = sorted(by_question)

    def nearest_to(self, questions: Collection[str]) -> dict[str, list[str]]:
        """Return for some questions the most similar ones, best first; among equals the earlier."""
        if not questions:
            return {}
        place = {question: i for i, question in enumerate(self._questions)}
        needed = sorted(place[question] for question in questions)
        vectors = _vectors(self._questions)
        nearest: dict[str, list[str]] = {}
        for start in range(0, len(needed), _BLOCK_SIZE):
            block = needed[start : start + _BLOCK_SIZE]
            for at, rows in zip(block, _nearest(vectors, block), strict=True):
                nearest[self._questions[at]] = [self._questions[row] for row in rows]
        return nearest

    def draw(self, turn: Turn, nearest: Sequence[str], generator: random.Random) -> DrawnCandidates:
        """Draw the candidates of a turn, given the questions that are similar to its own."""
        size = min(SIZE, len(self._every))
        taken = {self._says[turn.answer]}
        plausible = self._plausible(turn, nearest, generator, taken, min(PLAUSIBLE, size - 1))
        popular = [key for key in self._popular if key not in taken][: size - len(taken)]
        taken.update(popular)
        rest: list[str] = []
        left = size - len(taken)
        if 2 * size >= len(self._every):  # hardly any is left: what is drawn twice would take long
            rest = generator.sample([key for key in self._every if key not in taken], left)
        while len(rest) < left:
            key = generator.choice(self._every)
            if key not in taken:
                taken.add(key)
                rest.append(key)
        return DrawnCandidates(turn.answer, tuple(plausible), self._texts(popular), self._texts(rest))

    def _plausible(
        self, turn: Turn, nearest: Sequence[str], generator: random.Random, taken: set[str], most: int
    ) -> list[str]:
        """Choose one answer of each similar question about another picture, and mark it as taken."""
        plausible: list[str] = []
        for question in nearest:
            if len(plausible) == most:
                break
            if question == turn.question:
                continue
            others = (self._turns[i] for i in self._by_question[question] if self._turns[i].image != turn.image)
            fresh = sorted({other.answer for other in others if self._says[other.answer] not in taken})
            if fresh:
                answer = generator.choice(fresh)
                taken.add(self._says[answer])
                plausible.append(answer)
        return plausible

    def _texts(self, keys: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._written[key] for key in keys)


def _vectors(questions: Sequence[str]) -> Any:
    """Compute normalised tf-idf rows over runs of one to three characters."""
    import numpy as np  # noqa: PLC0415  (slow to import, and needed by releases of dialogues alone)
    from scipy import sparse  # noqa: PLC0415

    vocabulary: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for question in questions:
        padded = f" {question} "
        grams = [padded[i : i + n] for n in _GRAMS for i in range(len(padded) - n + 1)]
        columns += [vocabulary.setdefault(gram, len(vocabulary)) for gram in grams]
        ends.append(len(columns))
    shape = (len(questions), len(vocabulary))
    counts = sparse.csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), shape=shape)
    counts.sum_duplicates()
    frequencies = np.bincount(counts.indices, minlength=shape[1])
    counts.data *= np.log((1 + len(questions)) / (1 + frequencies[counts.indices])).astype(np.float32) + 1
    lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
    return sparse.diags(1 / np.maximum(lengths, 1e-12)).astype(np.float32) @ counts


def _nearest(vectors: Any, block: Sequence[int]) -> list[Any]:
    """Return the most similar questions for each question of a block, best first; among equals the earlier."""
    import numpy as np  # noqa: PLC0415

    similarities = (vectors[list(block)] @ vectors.T).toarray()
    nearest = []
    for row in similarities:
        count = min(_NEAREST_LIMIT, len(row))
        floor = np.partition(row, len(row) - count)[len(row) - count]
        candidates = np.flatnonzero(row >= floor)
        nearest.append(candidates[np.lexsort((candidates, -row[candidates]))][:count])
    return nearest
