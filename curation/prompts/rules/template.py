"""The form of a prompt, and the check that every variable it names is declared and every declared one is used."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal, NamedTuple, Self, get_args

from pydantic import Field, model_validator

from curation.benchmarks.rules.marked_yaml import Document, FileInvalid, Path, Problem
from curation.benchmarks.rules.parts import Localised, Name, Part
from curation.core.text import BIDI_CONTROLS
from curation.prompts.rules.values import VARIABLES, Variable

Reading = Literal["paper", "code", "ours"]
"""Where the text is from: printed in the paper, run by its code, or written for this software."""
READINGS: Final[tuple[str, ...]] = get_args(Reading)
Language = Literal["zh-Hans", "zh-Hant", "en"]
LANGUAGES: Final[tuple[str, ...]] = get_args(Language)
# The number of a benchmark's first own version; lower ones are for the prompts that ship, so no number means two texts.
FIRST_OWN: Final = 101
LONGEST: Final = 20_000  # characters of one text; the longest published one has 1,300

PLACE: Final = re.compile(r"\{\{([^{}\n]*)\}\}")

Text = Annotated[str, Field(max_length=LONGEST)]
# What the texts of an example may name besides the declared variables: its right answer, and why that is right.
_OF_EXAMPLES: Final = frozenset({"answer", "explanation"})
# Names that are no variables and have a value in some text.
_OF_PLACES: Final = frozenset({"letter", "option", "explanation"})

# Nobody would see what such a text says to a model: controls of terminals, and of the order of what is shown.
_HIDDEN: Final = re.compile(f"[{''.join(sorted(BIDI_CONTROLS))}\0-\x08\x0b-\x1f\x7f-\x9f]")

VARIABLE_FAULTS: Final = frozenset({"prompt_variable_unknown", "prompt_variable_unused", "prompt_variable_misplaced"})


class Turn(Part):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: Text


class Template(Part):
    """A prompt in one language.

    Attributes:
        system: The system message; empty: none is sent.
        turns: The messages; the last is the user's.
        option: How an option is printed, from ``letter`` and ``option``.
        round: How an earlier round of a dialogue is printed, from ``question`` and ``answer``.
        join: What stands between options, or between rounds.
        shot: The messages of one example, sent before ``turns``; from the declared variables, ``answer`` and
            ``explanation``.
        order: The order of text and picture in the first message of the user; without ``picture`` none is sent.
    """

    system: Text = ""
    turns: Annotated[list[Turn], Field(min_length=1, max_length=20)]
    option: Text = ""
    round: Text = ""
    join: Text = ""
    shot: Annotated[list[Turn], Field(max_length=20)] = []
    order: Annotated[list[Literal["text", "picture"]], Field(min_length=1, max_length=2)]

    @model_validator(mode="after")
    def _ends_with_the_user(self) -> Self:
        if self.turns[-1].role != "user":
            raise ValueError("the last turn is the user's")
        if "text" not in self.order or len(set(self.order)) != len(self.order):
            raise ValueError("order names text once, and picture at most once")
        return self


class Body(Template):
    """A prompt in one language with the variables that it needs."""

    variables: Annotated[list[Variable], Field(max_length=len(VARIABLES))]

    @property
    def shows_explanations(self) -> bool:
        """Whether an example shows why its answer is right, so that only examples with an explanation fit."""
        return "explanation" in _named(*(turn.text for turn in self.shot))


class PromptFile(Part):
    """A file of ``fixtures/prompts``: one version of a prompt in the languages that its source has.

    Attributes:
        name: What the prompt is for.
        no: The number of the version, below those of benchmarks.
        reading: Where the text is from.
        source: Where exactly, and what the source leaves open; a row of the table keeps the English.
        variables: What it needs.
        languages: Its texts.
    """

    name: Name
    no: Annotated[int, Field(ge=1, lt=FIRST_OWN)]
    reading: Reading
    source: Localised
    variables: Annotated[list[Variable], Field(max_length=len(VARIABLES))]
    languages: Annotated[dict[Language, Template], Field(min_length=1)]

    def body(self, language: str) -> Body:
        """Return the version's body in one of its languages."""
        template = self.languages[language]  # type: ignore[index]  # a language of the file
        return Body(variables=self.variables, **{name: getattr(template, name) for name in Template.model_fields})


class PromptVariable(FileInvalid):
    """A prompt names a variable that it does not have there, or does not use one that it declares."""

    detail = "{file} has {count} faults in its variables."


def parse_file(source: str, *, file: str) -> PromptFile:
    """Read and check a file of ``fixtures/prompts``.

    Raises:
        PromptVariable: A variable is unknown, unused or misplaced.
        FileInvalid: With every fault by line and key.
    """
    document = Document(source, file=file)
    checked = document.check(document.value, PromptFile) if document.value is not None else None
    if checked is not None:
        faults = _Faults(document, source)
        for language, template in checked.languages.items():
            faults.check(template, checked.variables, at=("languages", language))
        faults.unused(checked.variables, checked.languages.values())
    _raise(document)
    if checked is None:  # cannot happen without a fault; for the type checker
        raise AssertionError
    return checked


def parse_body(source: str, *, file: str) -> Body:
    """Read and check the text of a prompt in one language, as :func:`curation.prompts.rules.text_of` writes it.

    Raises:
        PromptVariable: A variable is unknown, unused or misplaced.
        FileInvalid: With every fault by line and key.
    """
    document = Document(source, file=file)
    checked = document.check(document.value, Body) if document.value is not None else None
    if checked is not None:
        faults = _Faults(document, source)
        faults.check(checked, checked.variables, at=())
        faults.unused(checked.variables, [checked])
    _raise(document)
    if checked is None:
        raise AssertionError
    return checked


def _raise(document: Document) -> None:
    if document.problems and all(problem.code in VARIABLE_FAULTS for problem in document.problems):
        raise PromptVariable(document.file, document.problems)
    document.raise_problems()


class _Place(NamedTuple):
    """A text of a template, and the variables that it may name."""

    path: Path
    text: str
    allowed: frozenset[str]


def _places(template: Template, variables: Iterable[str]) -> Iterator[_Place]:
    declared = frozenset(variables)
    yield _Place(("system",), template.system, declared)
    for i, turn in enumerate(template.turns):
        yield _Place(("turns", i, "text"), turn.text, declared)
    for i, turn in enumerate(template.shot):
        yield _Place(("shot", i, "text"), turn.text, declared | _OF_EXAMPLES)
    yield _Place(("option",), template.option, frozenset({"letter", "option"}))
    yield _Place(("round",), template.round, frozenset({"question", "answer"}))
    yield _Place(("join",), template.join, frozenset())


def _named(*texts: str) -> set[str]:
    return {name for text in texts for name in PLACE.findall(text)}


class _Faults:
    """Records the faults of variables in a document, each at its line."""

    def __init__(self, document: Document, source: str) -> None:
        self._document = document
        # The lines that name each variable, in order: looked up for every fault, so that a long text takes linear time.
        self._lines: dict[str, list[int]] = {}
        for number, line in enumerate(source.split("\n"), 1):
            for name in PLACE.findall(line):
                self._lines.setdefault(name, []).append(number)

    def check(self, template: Template, variables: list[Variable], *, at: Path) -> None:
        """Record each variable that a text names although it is not declared or has no value there.

        And each text with characters that nobody would see.
        """
        for place in _places(template, variables):
            if _HIDDEN.search(place.text):
                path = (*at, *place.path)
                self._document.fault(path, "text without control and direction characters", "prompt_hidden_character")
            for name in PLACE.findall(place.text):
                if name not in place.allowed:
                    known = name in VARIABLES or name in _OF_PLACES
                    code = "prompt_variable_misplaced" if known else "prompt_variable_unknown"
                    allowed = ", ".join(sorted(place.allowed))
                    self._add((*at, *place.path), name, code, f"one of the variables {allowed or '(none)'}")
        # An option needs no letter where a model ranks the options' texts.
        needed = {"option": ("options", {"option"}), "round": ("history", {"question", "answer"})}
        for field, (variable, names) in needed.items():
            text = getattr(template, field)
            if variable in variables:
                for name in sorted(names - _named(text)):
                    self._add((*at, field), name, "prompt_variable_unused", f"a text with {name}")
            elif text:
                self._add((*at, field), variable, "prompt_variable_misplaced", f"{variable} among the variables")

    def unused(self, variables: list[Variable], templates: Iterable[Template]) -> None:
        """Record each declared variable that some language does not use, and each declared twice."""
        used = [_named(template.system, *(turn.text for turn in template.turns)) for template in templates]
        for i, name in enumerate(variables):
            if name in variables[:i] or not all(name in named for named in used):
                self._add(("variables", i), name, "prompt_variable_unused", f"each variable once, and {name} in use")

    def _add(self, path: Path, name: str, code: str, expected: str) -> None:
        line = self._document.line(path)
        if code != "prompt_variable_unused":
            line = self._line(line, name)
        key = ".".join(map(str, path))
        self._document.problems.append(Problem(self._document.file, line, key, expected, code, {"name": name}))

    def _line(self, first: int, name: str) -> int:
        """Return the line of a text's variable, counted from 1: the text may begin lines above it."""
        lines = self._lines.get(name, [])
        place = bisect_left(lines, first)
        return lines[place] if place < len(lines) else first
