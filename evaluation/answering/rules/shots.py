"""Examples before the question: drawn by a seed from a file of their own, never about a picture that is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from curation.prompts.rules import Shot
from evaluation.answering.rules.pictures import Pictures, shared_files
from evaluation.answering.rules.reading import GoldRow, generator
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.suites.rules import Entry, Suite

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Example:
    """A drawn example: its question, the reply that is shown for it, and why that is right; empty if unknown."""

    entry: Entry
    answer: str
    explanation: str = ""

    def shot(self, *, has_picture: bool) -> Shot:
        """Return it as a prompt's rendering takes it."""
        return Shot({**self.entry.values, "answer": self.answer, "explanation": self.explanation}, has_picture)


def draw(
    suite: Suite,
    read: Sequence[GoldRow],
    number: int,
    seed: int,
    groups: Iterable[str],
    *,
    explained: Collection[str] = (),
) -> dict[str, tuple[Example, ...]]:
    """Draw examples for each group of questions: those of one type, and within a subject where the suite says so.

    Args:
        suite: Whose examples.
        read: The rows to draw from; those without a right answer are no examples.
        number: How many examples each question gets.
        seed: Of the draw.
        groups: The groups that are asked; see :func:`group_of`.
        explained: The types of questions whose examples show why their answers are right. Rows that do not say are no
            examples of these.

    Raises:
        AnswerRefused: A group has too few rows, or an answer is no text.
    """
    by_group: dict[str, list[Example]] = {}
    for row in read:
        entry, gold = row.entries[0], row.gold[0]  # of rotated options the first, as the file has them
        if gold.gold is None or (entry.type in explained and not row.explanation):
            continue
        if not isinstance(gold.gold, str):
            raise AnswerRefused("shots_not_for_suite", f"the answers of {suite.name} cannot be shown as examples")
        by_group.setdefault(group_of(suite, entry, gold.tags), []).append(Example(entry, gold.gold, row.explanation))
    drawn = {}
    for group in sorted(set(groups)):
        examples = sorted(by_group.get(group, []), key=lambda example: example.entry.key)
        if len(examples) < number:
            of = f" of {group}" if group else ""
            fit = "with a right answer" + (" and an explanation" if explained else "")
            raise AnswerRefused(
                "shots_too_few", f"{number} examples{of} are needed, the file has {len(examples)} {fit}"
            )
        drawn[group] = sample(examples, number, seed, group)
    return drawn


def sample(examples: Sequence[T], number: int, seed: int, group: str) -> tuple[T, ...]:
    """Draw from the examples of one group, which are in the order of their keys."""
    return tuple(generator(f"shots:{group}", seed).sample(examples, number))


def group_of(suite: Suite, entry: Entry, tags: Mapping[str, str]) -> str:
    """Return the group whose examples a question gets: its type, and its subject where the suite says so."""
    return group_name(entry.type, tags.get(suite.shots_within, "") if suite.shots_within else "")


def group_name(type_: str, subject: str) -> str:
    """Return the name of the group of a type of question and a subject, each of which may be empty."""
    return "/".join(filter(None, (type_, subject)))


def refuse_leaks(
    drawn: Iterable[Example], entries: Iterable[Entry], of_examples: Pictures, pictures: Pictures | None
) -> None:
    """Refuse examples that are asked, or that show a picture that is asked.

    Args:
        drawn: The examples.
        entries: All that are asked.
        of_examples: The pictures of the examples.
        pictures: The pictures that are asked; None if none is sent.

    Raises:
        AnswerRefused: With the examples.
    """
    keys, names = set(), set()
    for entry in entries:
        keys.add(entry.key)
        names.add(entry.picture)
    leaking = [example.entry for example in drawn if example.entry.key in keys or example.entry.picture in names]
    leaks = [entry.key for entry in leaking]
    if not leaks and pictures is not None:
        files = of_examples.files()
        leaks = [files[path] for path in shared_files(pictures.files(), files)]
    if leaks:
        which = ", ".join(sorted(leaks)[:5])
        raise AnswerRefused("shots_leak", f"examples whose question or picture is asked as well: {which}")
