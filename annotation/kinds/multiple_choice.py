"""Multiple choice: a question about a picture with one right option (CVQA section 2.2 and appendix A; TCC-Bench).

Each text is written in the content language and, beside it, in the language that the benchmark translates to. The right
option is the first; letters exist in exports alone (:mod:`annotation.kinds.option_order`).

Errors are what no release may have: a text that is missing in one language, two options that say the same. A question
that contains its answer may stay with a reason, because names overlap in ways that no program can judge. Everything
else is a warning that the protocol may enable: its source for most is appendix A of CVQA.

Where the protocol forbids it, a question does not name a concept of its picture (TCC-Bench section 1). What may be
another word by chance, such as a name of one Chinese character, may stay with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from statistics import median_low
from typing import Any, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from annotation.kinds.base import Finding, Kind, KindSettings, Rules, Settings, Span
from annotation.kinds.comparison import find_answer, key_of
from annotation.kinds.context import Concept, Context, Language, Need
from annotation.kinds.fields import FEWEST_LETTERS, refusals, span_at
from annotation.kinds.leaks import Leak, in_picture, leaks
from annotation.kinds.question_forms import bare_where, english_words, negated_choice
from annotation.kinds.scripts import Script, is_language, letters_in, marks_of, same_language, script_of
from annotation.kinds.tree import CodeNode, ContentNode, ListNode, RecordNode, TextNode, resolve
from curation.core import text
from curation.core.registry import Registry

Flag = Literal["negated_options", "where_vague", "right_longest", "other_script", "english_in_local"]
ConceptRule = Literal["allowed", "forbidden"]

LONG: Final = 5  # characters; "10" beside "9" and "8" does not stand out


class DraftingSettings(Settings):
    """How a model drafts questions from concepts, in text alone (TCC-Bench section 3.3).

    Attributes:
        model: The model's name on a server of the site.
        prompt: The name of the prompt; of its versions the benchmark's newest counts, or else the first that ships.
        candidates_minimum: Fewest questions of a reply.
    """

    model: str = Field(min_length=1, max_length=200)
    prompt: str = "tcc-draft"
    candidates_minimum: int = Field(default=3, ge=1, le=10)


class BlindTrialSettings(Settings):
    """How a model tries each submitted question without its picture.

    Attributes:
        model: The model's name on a server of the site.
        prompt: The name of the prompt; of its versions in a language the benchmark's newest counts, or else the first
            that ships.
        tries: Tries of a question in each language, as many as it has options.
        flagged_from: Right tries in one language from which a question is flagged.
    """

    model: str = Field(min_length=1, max_length=200)
    prompt: str = "choice-text-only"
    tries: int = Field(ge=2, le=10)
    flagged_from: int = Field(ge=1, le=10)

    @model_validator(mode="after")
    def _can_be_flagged(self) -> Self:
        if self.flagged_from > self.tries:
            raise ValueError(f"flagged_from not above tries ({self.flagged_from} > {self.tries})")
        return self


class MultipleChoiceSettings(KindSettings):
    """The protocol's settings of multiple choice.

    Attributes:
        options: Options of a question, one of them right.
        explanation: Whether an explanation of the right option is written.
        concept_in_question: Whether a question may name a concept of its picture.
        drafting: How a model drafts questions; None: none does.
        blind_trials: How a model tries questions without their pictures; None: none does.
        flags: The enabled warnings.
    """

    options: int = Field(ge=2, le=10)
    explanation: bool = False
    concept_in_question: ConceptRule = "allowed"
    drafting: DraftingSettings | None = None
    blind_trials: BlindTrialSettings | None = None
    flags: list[Flag] = []

    @model_validator(mode="after")
    def _each_letter_once(self) -> Self:
        if self.blind_trials is not None and self.blind_trials.tries != self.options:
            raise ValueError(f"blind_trials.tries as many as options ({self.blind_trials.tries}, not {self.options})")
        return self


class MultipleChoiceRules(Rules):
    """The rules of multiple choice that the workspace shows."""

    kind: Literal["multiple_choice"] = "multiple_choice"
    options: int
    explanation: bool
    concept_in_question: ConceptRule
    drafting: DraftingSettings | None
    blind_trials: BlindTrialSettings | None
    flags: list[Flag]


class _Side(NamedTuple):
    """The texts of a content in one of its languages.

    Attributes:
        name: ``local`` or ``translated``.
        language: Their language.
        question: The question.
        options: The options, the right one first.
        texts: All texts by field.
    """

    name: str
    language: Language
    question: str
    options: list[str]
    texts: dict[str, str]

    @property
    def question_field(self) -> str:
        return f"question.{self.name}"

    @property
    def script(self) -> Script:
        return marks_of(self.language.tag)


def _languages(context: Context) -> dict[str, Language]:
    """Return the languages of the sides; only one where both are the same."""
    local, translated = context.language, context.translation
    if translated is None or same_language(local.tag, translated.tag):
        return {"local": local}
    return {"local": local, "translated": translated}


def _records(content: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    """Return the texts of a content by field, each with its languages."""
    options = {f"options.{i}": option for i, option in enumerate(content["options"])}
    explanation = {"explanation": content["explanation"]} if "explanation" in content else {}
    return {"question": content["question"], **options, **explanation}


def _side(content: Mapping[str, Any], name: str, language: Language) -> _Side:
    texts = {f"{field}.{name}": record[name] for field, record in _records(content).items()}
    return _Side(name, language, content["question"][name], [option[name] for option in content["options"]], texts)


def _negated_options(side: _Side) -> Iterator[Finding]:
    if place := negated_choice(side.question, side.script):
        span = span_at(*place, side.question, side.question_field)
        yield Finding("negated_options", side.question_field, "warn", spans=(span,))


def _where_vague(side: _Side) -> Iterator[Finding]:
    if place := bare_where(side.question, side.script):
        span = span_at(*place, side.question, side.question_field)
        yield Finding("where_vague", side.question_field, "warn", spans=(span,))


def _right_longest(side: _Side) -> Iterator[Finding]:
    """Warn if the right option is at least twice as long as the median of the others, and longer than each."""
    right, *others = (text.count_characters(option) for option in side.options)
    median = median_low(others)
    if all(others) and right >= max(LONG, 2 * median) and right > max(others):
        yield Finding("right_longest", f"options.0.{side.name}", "warn", {"length": right, "median": median})


def _other_script(side: _Side) -> Iterator[Finding]:
    """Warn if less than half of a text's letters are of its language's script."""
    script = script_of(side.language.tag)
    if script is None:
        return
    for field, value in side.texts.items():
        own, letters = letters_in(value, script)
        if letters >= FEWEST_LETTERS and 2 * own < letters:
            yield Finding("other_script", field, "warn", {"percent": 100 * own // letters})


def _english_in_local(side: _Side) -> Iterator[Finding]:
    """Warn if a question of another language in Latin script reads like English, which its script cannot show."""
    script = script_of(side.language.tag)
    if script is None or script.name != "latin" or is_language(side.language.tag, "en"):
        return
    english, words = english_words(side.question)
    if english >= 2 and 3 * english >= words:
        yield Finding("english_in_local", side.question_field, "warn")


_FLAGS: Final[Registry[Callable[[_Side], Iterator[Finding]]]] = Registry(
    "flag of multiple choice",
    {
        "negated_options": _negated_options,
        "where_vague": _where_vague,
        "right_longest": _right_longest,
        "other_script": _other_script,
        "english_in_local": _english_in_local,
    },
)


def _is_empty(field: str, value: str) -> bool:
    """Return whether a text says nothing; an option may be a symbol, everything else needs a letter or a digit."""
    return text.shows_nothing(value) if field.startswith("options.") else not text.count_characters(value)


def _missing(content: Mapping[str, Any]) -> Iterator[Finding]:
    """Report each text that is missing in one language, and once each that is missing in all."""
    if not content["category"]:
        yield Finding("category_missing", "category", "error")
    for field, record in _records(content).items():
        empty = [name for name, value in record.items() if _is_empty(field, value)]
        if len(empty) == len(record):
            yield Finding("text_missing", f"{field}.local", "error")
        else:
            for name in empty:
                yield Finding("side_missing", f"{field}.{name}", "error")


def _options(side: _Side) -> Iterator[Finding]:
    """Report options that say the same as an earlier one."""
    written = {i: key_of(value) for i, value in enumerate(side.options) if not text.shows_nothing(value)}
    repeated: set[int] = set()
    for i, j in combinations(written, 2):
        if j not in repeated and written[i] == written[j]:
            repeated.add(j)
            yield Finding("option_equal", f"options.{j}.{side.name}", "error", {"other": i})


def _question(side: _Side) -> Iterator[Finding]:
    if not text.count_characters(side.question):
        return
    if not side.script.ends_question(side.question):
        yield Finding("question_mark_missing", side.question_field, "warn")
    right, *others = side.options
    if place := find_answer(right, side.question, others):
        span = Span(side.question_field, *place)
        yield Finding(
            "answer_in_question", side.question_field, "error", {"text": right.strip()}, (span,), overridable=True
        )


def concept_leaks(content: Mapping[str, Any], context: Context) -> Iterator[Finding]:
    """Report the concepts of the picture that a question names: one finding for each concept and language.

    Places that are not certain are reported once no certain one is left, so that what replaces a finding's places
    leaves other words alone. ``params`` has the concept's name, and in ``put`` what may take its place.
    """
    for name, language in _languages(context).items():
        # A question that was accepted before the benchmark translated has one language.
        question, field = content["question"].get(name, ""), f"question.{name}"
        by_concept: dict[Concept, list[Leak]] = {}
        for leak in leaks(question, context.concepts or ()):
            by_concept.setdefault(leak.concept, []).append(leak)
        for concept, every in by_concept.items():
            certain = [leak for leak in every if leak.is_certain]
            places = certain or every
            noun = concept.local if name == "local" else concept.translated
            yield Finding(
                "concept_in_question",
                field,
                "error",
                {"concept": concept.names[0], "put": in_picture(language.tag, noun)},
                tuple(Span(field, leak.start, leak.end) for leak in places),
                overridable=not certain,
            )


def question_keys(content: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return by language the same for questions that say the same; without empty ones."""
    return {name: key_of(value) for name, value in content["question"].items() if text.count_characters(value)}


def _twice(content: Mapping[str, Any], context: Context) -> Iterator[Finding]:
    """Warn of other items on the picture that ask the same in one of the languages."""
    keys = question_keys(content)
    for sibling in context.siblings or ():
        others = question_keys(sibling.content)
        same = next((name for name, key in keys.items() if others.get(name) == key), None)
        if same is not None:
            yield Finding("question_twice", f"question.{same}", "warn", {"item": sibling.label})


class MultipleChoice:
    """The multiple choice kind."""

    name = "multiple_choice"
    prefix = "mcq"
    content_schema = 1
    settings = MultipleChoiceSettings
    rules_shape = MultipleChoiceRules
    needs: tuple[Need, ...] = ("categories", "concepts", "siblings")
    base = None

    def tree(self, settings: MultipleChoiceSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`: the options are an answer, because the first is the right one."""
        sides = RecordNode(
            fields={
                name: TextNode(language="content" if name == "local" else "translation") for name in _languages(context)
            }
        )
        fields: dict[str, ContentNode] = {
            "category": CodeNode(list="categories", meaning="the category that the question belongs to"),
            "question": sides.model_copy(update={"meaning": "the question in each language"}),
            "options": ListNode(
                count=settings.options,
                of=sides,
                answer=True,
                meaning="the options in each language, the right one first",
            ),
        }
        if settings.explanation:
            meaning = "why the first option is right, in each language"
            fields["explanation"] = sides.model_copy(update={"answer": True, "meaning": meaning})
        return RecordNode(fields=fields)

    def check(
        self, content: Mapping[str, Any], settings: MultipleChoiceSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        findings = list(_missing(content)) if complete else []
        category, known = content["category"], context.categories
        if category and known is not None and category not in {choice.code for choice in known}:
            findings.append(Finding("category_unknown", "category", "error", {"category": category}))
        for name, language in _languages(context).items():
            side = _side(content, name, language)
            for field, value in side.texts.items():
                findings += refusals(value, field)
            findings += _question(side)
            findings += _options(side)
            for flag in settings.flags:
                findings += _FLAGS[flag](side)
        if settings.concept_in_question == "forbidden":
            findings += concept_leaks(content, context)
        findings += _twice(content, context)
        return findings

    def rules(self, settings: MultipleChoiceSettings, context: Context) -> MultipleChoiceRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return MultipleChoiceRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final[Kind] = MultipleChoice()
