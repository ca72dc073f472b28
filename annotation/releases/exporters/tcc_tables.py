"""The tables of TCC-Bench's paper from the questions of a release: its Table 1 and the numbers of its Figure 3."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from annotation.kinds.scripts import script_of
from annotation.releases.exporters.base import DrawnOptions
from curation.core.text import count_characters

# How the published data set spells the paper's categories, in the paper's order; others keep their code.
CATEGORIES: Final[Mapping[str, str]] = {
    "astronomy": "Astronomy",
    "music": "Music",
    "custom": "Custom",
    "architecture": "Architecture",
    "transportation": "Transportation",
    "diet": "Diet",
    "clothing": "Clothing",
    "artifact": "Artifact",
}
PARTS: Final = ("question", "option", "explanation")
_WITHOUT_SPACES: Final = frozenset({"chinese", "japanese"})  # scripts


class Statistic(NamedTuple):
    """One number; ``of`` is the language or the category that it is about, empty for all questions."""

    name: str
    of: str
    value: str


@dataclass(slots=True)
class Lengths:
    """The lengths of texts: their sum and the number of texts."""

    total: int = 0
    texts: int = 0

    @property
    def mean(self) -> float:
        """The mean length."""
        return self.total / self.texts


@dataclass(slots=True)
class Tables:
    """Counts of one pass over all records.

    Attributes:
        pictures: Their number; records of one picture come one after the other.
        by_category: Questions by category.
        options: The number of options of all questions.
        lengths: Language → part → lengths of its texts.
    """

    pictures: int = 0
    by_category: Counter[str] = field(default_factory=Counter)
    options: int = 0
    lengths: dict[str, dict[str, Lengths]] = field(default_factory=dict)
    _last: str = ""

    def add(self, record: Mapping[str, Any], drawn: DrawnOptions, language: str) -> None:
        """Count a question.

        Args:
            record: Its public record.
            drawn: Its options, which its public record does not have where the answer is withheld.
            language: The language of texts whose records do not name it.
        """
        self.pictures += record["image"] != self._last
        self._last = record["image"]
        self.by_category[record["category"]] += 1
        self.options += len(drawn.options)
        tags = {"local": record.get("language") or language, "translated": record.get("translation_language") or "en"}
        texts = [record["question"]], drawn.options, [record.get("explanation", {})]
        for part, of_part in zip(PARTS, texts, strict=True):
            for text in of_part:
                for side, tag in tags.items():
                    self._measure(part, text.get(side, ""), tag)

    def _measure(self, part: str, text: str, tag: str) -> None:
        if text:
            lengths = self.lengths.setdefault(tag, defaultdict(Lengths))[part]
            lengths.total += _length(text, tag)
            lengths.texts += 1

    @property
    def questions(self) -> int:
        """The number of questions."""
        return self.by_category.total()

    def categories(self) -> dict[str, int]:
        """Return the questions by the published name of their category, in the paper's order, then by code."""
        known = [code for code in CATEGORIES if code in self.by_category]
        others = sorted(self.by_category.keys() - CATEGORIES.keys())
        counts = Counter[str]()
        for code in [*known, *others]:
            counts[CATEGORIES.get(code, code) or "none"] += self.by_category[code]
        return counts

    def statistics(self) -> Iterator[Statistic]:
        """Yield every number as the file of statistics has it."""
        yield Statistic("pictures", "", str(self.pictures))
        yield Statistic("questions", "", str(self.questions))
        yield Statistic("questions_per_picture", "", f"{self.questions / self.pictures:.4f}")
        yield Statistic("options", "", str(self.options))
        for part in PARTS:
            for tag, by_part in self.lengths.items():
                if part in by_part:
                    yield Statistic(f"{part}_{unit_of(tag)}", tag, f"{by_part[part].mean:.4f}")
        for name, questions in self.categories().items():
            yield Statistic("questions", name, str(questions))


def unit_of(tag: str) -> str:
    """Return what texts of a language are measured in: words, or characters where no blanks are between words."""
    script = script_of(tag)
    return "characters" if script is not None and script.name in _WITHOUT_SPACES else "words"


def _length(text: str, tag: str) -> int:
    if unit_of(tag) == "characters":
        return count_characters(text)
    return sum(count_characters(word) > 0 for word in text.split())
