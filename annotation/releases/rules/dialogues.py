"""What the records of dialogues have beside their content: the caption, the scored round and its candidate answers.

In the splits that are scored a dialogue is asked about once: a system gets the rounds before that one, the question and
its candidates (CVLUE's test files). Which round it is follows from the kind's seed and the item's number, so that later
releases ask about the same one, and no earlier release has given its answer away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from annotation.kinds.published import withhold
from annotation.kinds.tree import RecordNode
from annotation.releases.rules.candidates import Turn, candidate_sets

CAPTION: Final = "caption"
SCORED_ROUND: Final = "scored_round"
#: The field that follows from all dialogues of a release, and not from the item alone.
CANDIDATES: Final = "candidates"

Round = Mapping[str, str]


class Dialogue(NamedTuple):
    """An accepted dialogue.

    Attributes:
        item_id: The item.
        number: The item's number.
        picture: The picture's number.
        caption: The caption with which it began.
        rounds: Its questions with their answers.
    """

    item_id: int
    number: int
    picture: int
    caption: str
    rounds: Sequence[Round]


def scored_round(seed: int, number: int, rounds: int) -> int:
    """Return the round of an item that is scored, counted from 1; each is equally likely."""
    digest = hashlib.sha256(f"{seed}:{number}".encode()).digest()
    return int.from_bytes(digest[:8]) % rounds + 1


def text_id(text: str) -> int:
    """Return the number by which CVLUE's files name a question or an answer; it follows from the text alone.

    It has 48 bits, which every reader of JSON takes, and two among a hundred thousand texts are equal once in fifty
    thousand such collections.
    """
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def dialogue_fields(
    dialogues: Sequence[Dialogue], *, scored: Collection[int], seed: int, others: Sequence[Dialogue] = ()
) -> dict[int, dict[str, Any]]:
    """Return the further fields of each dialogue's record by item id.

    The candidates are drawn from the answers of all dialogues.

    Args:
        dialogues: The dialogues.
        scored: Ids of the items that are scored; the others have no scored round and no candidates.
        seed: The kind's seed.
        others: Further dialogues whose answers are drawn from.
    """
    rounds = {
        one.item_id: scored_round(seed, one.number, len(one.rounds)) for one in dialogues if one.item_id in scored
    }
    every = sorted({one.item_id: one for one in (*others, *dialogues)}.values(), key=lambda one: one.number)
    turns = [turn for one in every for turn in turns_of(one.number, one.picture, one.rounds)]
    of_turn = {turn_id(one.number, rounds[one.item_id]): one.item_id for one in dialogues if one.item_id in rounds}
    sets = candidate_sets(turns, seed=_secret(seed, turns), requested=of_turn)
    candidates = {of_turn[one.id]: list(one.candidates) for one in sets}
    return {
        one.item_id: {
            CAPTION: one.caption,
            SCORED_ROUND: rounds.get(one.item_id, 0),
            CANDIDATES: candidates.get(one.item_id, []),
        }
        for one in dialogues
    }


def turns_of(item: int | str, picture: int | str, rounds: Sequence[Round]) -> Iterator[Turn]:
    """Yield the rounds of an item as candidates are drawn for them."""
    for number, one in enumerate(rounds, 1):
        yield Turn(turn_id(item, number), str(picture), one["question"], one["answer"])


def turn_id(item: int | str, number: int) -> str:
    """Return the id of a round among all turns."""
    return f"{item}#{number}"


def _secret(seed: int, turns: Sequence[Turn]) -> str:
    """Return a seed that nobody can compute without the withheld answers.

    Seeds of releases are published. With the seed alone one could repeat what was drawn at random, which the right
    answer was not.
    """
    digest = hashlib.sha256(str(seed).encode())
    for turn in turns:
        digest.update(f"\n{turn.id}\t{turn.answer}".encode())
    return digest.hexdigest()


def public_record(tree: RecordNode, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of a split with withheld answers as everybody gets it.

    Of a dialogue with a scored round these are the rounds before it with their answers, and its question: what comes
    later may tell the answer.
    """
    public, _ = withhold(tree, record)
    if number := record.get(SCORED_ROUND):
        public["rounds"] = [*record["rounds"][: number - 1], public["rounds"][number - 1]]
    return public
