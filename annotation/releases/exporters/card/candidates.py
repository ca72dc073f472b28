"""The card's section on the scored rounds of dialogues and their candidate answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from annotation.releases.exporters.base import Facts
from annotation.releases.exporters.cvlue_dialogues import scored_of
from annotation.releases.rules import CANDIDATES, SCORED_ROUND
from annotation.releases.rules.candidates import PLAUSIBLE, POPULAR, SIZE


def candidates(facts: Facts, sizes: Mapping[int, int]) -> Iterator[str]:
    """Yield the section.

    Args:
        facts: The release.
        sizes: Number of candidates → scored questions with so many; empty for other kinds than dialogues.
    """
    if not sizes:
        return
    names = ", ".join(f"`{split.name}`" for split in scored_of(facts))
    smallest, largest, questions = min(sizes), max(sizes), sum(sizes.values())
    yield from ("", "## Scored rounds and candidate answers", "")
    yield f"Each dialogue of {names} is scored at one round, `{SCORED_ROUND}`: a system gets the caption, the"
    yield f"rounds before it and its question, and ranks the texts of `{CANDIDATES}`. Which round it is follows from"
    yield f'the number of the item and the seed {facts.option_seed} (sha256 of "<seed>:<number>"), so that later'
    yield "releases score the same one. Where answers are withheld, later rounds are left out."
    yield ""
    yield "Candidates are made as in CVLUE section 5 and Das et al. (2017), section 4.1: the right answer, up to"
    yield f"{PLAUSIBLE} answers to the most similar questions about other pictures, the {POPULAR} most frequent answers"
    yield f"and random ones up to {SIZE}, drawn from the answers of all dialogues of the release. Questions are"
    yield "compared by their runs of one to three characters (cosine of tf-idf weights), without a model. Answers"
    yield "that differ in nothing but punctuation, blanks, case or the width of characters count as one. The order of"
    yield "candidates is that of sha256 sums and does not depend on which one is right."
    yield ""
    size = str(largest) if smallest == largest else f"{smallest} to {largest}"
    yield f"Scored questions: {questions}. Candidates of each: {size}."
    if smallest < SIZE:
        yield f"The dialogues have fewer than {SIZE} different answers, so that the candidates are all of them; figures"
        yield f"over fewer than {SIZE} candidates cannot be compared with those over {SIZE}."
