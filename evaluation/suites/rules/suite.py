"""What a suite is: the questions of a benchmark, the settings in which they are asked, and the rows of its answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from curation.lib.canonical import canonical_json
from evaluation.backends.asks import Decoding
from evaluation.profiles.base import Gold
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.rows import Row, WrongInput

Means: TypeAlias = Literal["text", "likelihood", "similarity"]
"""How a system answers: it writes a reply; the candidates are ranked by their probability as the reply; pictures and
texts are compared as vectors."""

#: The capability that a system needs for each of them.
CAPABILITIES: Final[Mapping[Means, str]] = {"text": "generate", "likelihood": "likelihood", "similarity": "embed"}

Side: TypeAlias = Literal["content", "en"]
"""Which of a question's texts is asked: the one in the benchmark's language, or its English translation."""


OverrideForm: TypeAlias = Literal["letter", "letters", "text"]
"""The form in which a person says what a reply answers."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a gold file, without its right answer."""

    id: str
    cluster: str
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One unit that is asked; it holds no right answer.

    Attributes:
        key: Its id in files of gold and of predictions.
        line: Its row in the gold file, for errors.
        picture: Its picture as the file names it, or the file's name without a suffix; empty for a text whose picture
            the file withholds.
        type: The type of question, which decides on prompt and decoding; empty if the suite has one type.
        values: The values of the prompt's variables.
        options: The texts among which the system chooses, if it does.
        names: What the answer calls them: letters, or ids.
    """

    key: str
    line: int
    picture: str
    values: Mapping[str, Any]
    type: str = ""
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system answered to an entry: a reply, scores of its options, or an error.

    Attributes:
        text: The reply; None without one.
        sums: A number for each option; more is better.
        means: How the answer was made.
        error: Why there is no answer; empty if there is one.
        picture_size: Width and height in pixels of the picture that the system read, as far as is known: as its
            processor resized it, else as it was sent; None if none was.
        box_form: How the system writes boxes, of :data:`evaluation.profiles.boxes.FORMS`; empty if its record does not
            say.
    """

    text: str | None = None
    sums: tuple[float, ...] = ()
    means: Means = "text"
    error: str = ""
    picture_size: tuple[int, int] | None = None
    box_form: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to ask a suite's questions; a column of the paper's table.

    Attributes:
        prompts: Type of question → name of its prompt. Questions of other types are not asked; without any prompt all
            are.
        means: How they can be answered; the first that a system is capable of is the default.
        decodings: Type of question → decoding of replies.
        ranked: What is ranked by likelihood: the options' letters, or their texts.
        count_end: Whether the end of the reply counts in the ranking of texts.
    """

    name: str
    prompts: Mapping[str, str]
    means: tuple[Means, ...]
    decodings: Mapping[str, Decoding] = field(default_factory=dict)
    ranked: Literal["names", "options"] = "names"
    count_end: bool = False

    def asks(self, type_: str) -> bool:
        """Return whether questions of a type are asked."""
        return not self.prompts or type_ in self.prompts


@dataclass(frozen=True, slots=True)
class Context:
    """What the rows of a gold file do not say themselves.

    Attributes:
        side: Which of the texts is asked.
        dialogues: The texts of dialogues, by id; see :mod:`evaluation.suites.rules.dialogues`.
        captions: The file with the texts among which pictures are searched, where the gold file only lists pictures.
    """

    side: Side = "content"
    dialogues: Any = None
    captions: Path | None = None


def plain_row(entry: Entry, answer: Answer) -> dict[str, Any]:
    """Write an answer as a row of predictions that every profile reads."""
    if answer.error:
        return {"id": entry.key, "error": answer.error}
    if answer.sums:
        best = max(range(len(answer.sums)), key=lambda i: answer.sums[i])  # of equal ones the first
        return {"id": entry.key, "response": entry.names[best]}
    return {"id": entry.key, "response": answer.text}


@dataclass(frozen=True, slots=True)
class Suite:
    """One way to test systems. This is the only list of tasks.

    Attributes:
        name: Its name in protocols and at the prompt.
        kind: The kind of annotation that it uses; empty if none makes such items.
        capability: The capability that a system needs to answer accepted items.
        profiles: How its answers are scored; the first is the headline.
        settings: How its questions are asked; the first is the default.
        entries: Makes the entries of a row of a gold file from the row without its right answers and from the
            questions that the profiles read in it.
        gold_fields: The fields of a row that ``entries`` does not get.
        explanations: The fields that say why a row's answer is right, by the language of its texts; the first that has
            text counts. Examples alone show it, so ``entries`` does not get these fields either.
        answer_row: Writes an answer as a row of predictions.
        language: The language of its prompts where none is chosen.
        sides: The languages in which its questions exist.
        overrides: Type of question → what a person may say that a reply answers: one letter of its options, several, or
            a short text. Replies to other types are read by rules alone.
        shots_within: The tag that an example shares with the question; empty: every question has the same examples.
        needs_dialogues: Whether the gold names texts by ids of another file.
        texts: The group of the kind's texts that retrieval compares with the pictures; empty for all other suites.
        ranks: The values of k of its recall.
        preprocessing: How pictures and texts are prepared; part of a run's settings.
    """

    name: str
    kind: str
    capability: str
    profiles: tuple[str, ...]
    settings: tuple[Setting, ...]
    entries: Callable[[Row, Sequence[Question], Context], Iterator[Entry]]
    gold_fields: frozenset[str] = frozenset({"gold", "answer"})
    explanations: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)
    answer_row: Callable[[Entry, Answer], dict[str, Any]] = plain_row
    language: str = "zh-Hans"
    sides: tuple[Side, ...] = ("content",)
    overrides: Mapping[str, OverrideForm] = field(default_factory=dict)
    shots_within: str = ""
    needs_dialogues: bool = False
    texts: str = ""
    ranks: tuple[int, ...] = ()
    preprocessing: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_retrieval(self) -> bool:
        """Whether its texts and pictures search each other, so that systems make a vector of each of them."""
        return bool(self.texts)

    def setting(self, name: str) -> Setting | None:
        """Return the setting of a name, the first for an empty name, None for an unknown one."""
        return next((setting for setting in self.settings if name in ("", setting.name)), None)

    def read(self, row: Row, context: Context) -> Iterator[tuple[Entry, Gold]]:
        """Read the entries of a row of a gold file, each beside the right answer that the profile reads, if it has one.

        Raises:
            WrongInput: The row is not of the profile's form, or lacks what is asked.
        """
        gold = list(PROFILES[self.profiles[0]].read_questions(row))
        questions = [Question(one.id, one.cluster, one.tags) for one in gold]
        withheld = self.gold_fields.union(*self.explanations.values())
        fields = {name: value for name, value in row.fields.items() if name not in withheld}
        yield from zip(self.entries(row._replace(fields=fields), questions, context), gold, strict=True)

    def explanation_in(self, row: Row, side: Side) -> str:
        """Return why the right answer of a row is right; empty if the row does not say."""
        texts = (row.fields.get(name) for name in self.explanations.get(side, ()))
        return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), "")


def text_of(row: Row, *names: str) -> str:
    """Return the first of some fields that holds text.

    Raises:
        WrongInput: None does.
    """
    for name in names:
        value = row.fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
    raise WrongInput(row.file, row.line, names[0], "text")


def picture_in(row: Row, question: Question) -> str:
    """Return the picture that a row names; a file is looked for under the question's own name if it names none."""
    for name in ("image", "Image", "picture", "images"):
        value = row.fields.get(name)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, str) and value:
            return value
    return question.cluster


def settings_digest(settings: Mapping[str, Any]) -> str:
    """Compute the SHA-256 of settings in canonical JSON."""
    return hashlib.sha256(canonical_json(settings)).hexdigest()
