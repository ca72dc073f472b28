"""Profiles of CMMU: circular questions with options, sets of letters, blanks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluation.metrics.bias import bias_rate
from evaluation.profiles import blanks, letters
from evaluation.profiles.base import Answers, Extra, Gold, Profile, Status, Unit, is_withheld, picture_of, tags_of
from evaluation.profiles.choices import options_of
from evaluation.profiles.letters import NOTHING, Read
from evaluation.profiles.rows import Row, WrongInput

_TYPES: Final = {"multiple-choice": "MCQ", "multiple-response": "MRQ", "fill-in-the-blank": "FBQ"}
_LETTERS: Final = "ABCDEFGH"


def gold(row: Row) -> Iterator[Gold]:
    """Read the questions of CMMU's rows.

    A question with k options gives k shifts ``<id>-<i>``, each with the right letter shifted by i. A question with
    several right options gives one ``<id>-0``, and each blank a ``<id>-<i>``.
    """
    fields = row.fields
    name = row.id("id", "question_id")
    kind = _TYPES.get(str(fields.get("type")), str(fields.get("type")))
    if kind not in _TYPES.values():
        raise WrongInput(row.file, row.line, "type", " or ".join(_TYPES))
    tags = tags_of(fields) | {"type": kind}
    if isinstance(fields.get("grade_band"), str):
        tags["grade"] = fields["grade_band"]
    cluster = picture_of(fields, name)
    about = {"parent": name}
    right = _right_answers(row)
    if kind == "FBQ":
        blanks = fields.get("sub_questions")
        number = len(right or (blanks if isinstance(blanks, list) and blanks else [""]))
        for i in range(number):
            yield Gold(f"{name}-{i}", right[i] if right else None, cluster, tags, about)
        return
    expected, options = "".join(right).strip().upper(), options_of(fields)
    if any(letter not in _LETTERS for letter in expected):
        raise WrongInput(row.file, row.line, "answer", "letters from A to H")
    if kind == "MRQ":
        about_set = about | {"options": options}
        yield Gold(f"{name}-0", "".join(sorted(expected)) or None, cluster, tags, about_set)
        return
    fits = not right or (len(expected) == 1 and _LETTERS.index(expected) < len(options))
    if not fits or not 2 <= len(options) <= len(_LETTERS):
        raise WrongInput(row.file, row.line, "options", "two to eight options, and the letter of one of them in answer")
    for i in range(len(options)):
        shifted = _LETTERS[(_LETTERS.index(expected) + i) % len(options)] if right else None
        yield Gold(f"{name}-{i}", shifted, cluster, tags, about | {"shifts": len(options)})


def _right_answers(row: Row) -> list[str]:
    """Return the right answers of a row; none if it withholds them."""
    right = row.fields.get("gold", row.fields.get("answer"))
    if is_withheld(right):
        return []
    answers: list[Any] = right if isinstance(right, list) else [right]
    if not all(isinstance(answer, str) and answer.strip() for answer in answers):
        raise WrongInput(row.file, row.line, "answer", "a letter, letters, or a list of texts")
    return answers


def _keep(row: Row) -> dict[str, Any]:
    fields = row.fields
    response = fields.get("response", fields.get("answer"))
    if not isinstance(response, str | type(None)):
        raise WrongInput(row.file, row.line, "response", "text")
    record: dict[str, Any] = {"line": row.line, "response": response}
    return record | {name: fields[name] for name in ("judge_reply", "error") if fields.get(name) is not None}


def _name(row: Row) -> str:
    """Return the id as :func:`gold` numbers it; published files name a question with several right options as it is.

    CMMU's ids have no hyphen, so one without is such a question's.
    """
    name = row.id("id", "question_id")
    return name if "-" in name else f"{name}-0"


@dataclass(frozen=True, slots=True)
class _Scoring:
    """How one profile scores answers.

    Attributes:
        read_letter: Reads one letter.
        read_set: Reads a set of letters.
        by_rows: If true, a group of k shifts is scored by its first k rows, repeated shifts too, and does not count
            with fewer rows. If false, every shift must have a row, and a missing one is wrong.
        judge_blank: Scores a blank: 0..1 and the rule; None if it is unreadable.
    """

    read_letter: Callable[[str], Read]
    read_set: Callable[[str], Read]
    by_rows: bool
    judge_blank: Callable[[str, Mapping[str, Any]], tuple[float | None, str]]

    def units(self, questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        """Yield the units of shifts, sets and blanks."""
        groups: dict[str, list[Gold]] = defaultdict(list)
        for question in questions:
            if question.tags["type"] != "MCQ":
                yield self._score_question(question, answers)
                continue
            group = groups[question.row["parent"]]
            group.append(question)
            if len(group) == question.row["shifts"]:
                yield self._score_shifts(groups.pop(question.row["parent"]), answers)

    def _score_question(self, question: Gold, answers: Answers) -> Unit:
        kind = question.tags["type"]
        row = answers.last(question.id)
        zero = {} if self.by_rows else {"accuracy": 0.0, kind: 0.0}
        chances = _chances_of_one(question)
        if row is None or row.get("response") is None:
            return question.unit("missing" if row is None else "failed", zero, chances=chances)
        if kind == "FBQ":
            value, rule = self.judge_blank(question.gold, row)
            values = {"accuracy": value or 0.0, kind: value or 0.0}
            status: Status = "scored" if value is not None else "unparsable"
            return question.unit(
                status,
                values,
                row["response"] if value is not None else None,
                rule,
                chances,
            )
        reading = letters.overridden(row) or self.read_set(row["response"])
        once = "".join(sorted(set(reading.letters or "")))
        right = float(reading.letters == question.gold)
        values = {"accuracy": right, kind: right, "MRQ de-duplicated": float(once == question.gold)}
        of_set: Status = "scored" if reading.letters else "refused" if reading.rule == "refused" else "unparsable"
        return question.unit(of_set, values, reading.letters, reading.rule, chances)

    def _score_shifts(self, group: Sequence[Gold], answers: Answers) -> Unit:
        first = group[0]
        parent, shifts = first.row["parent"], len(group)
        if self.by_rows:
            rows = [(question, row) for question in group for row in answers.all(question.id)]
            rows.sort(key=lambda pair: pair[1]["line"])
            if len(rows) < shifts:
                return Unit(parent, first.cluster, first.tags, "missing", {})
            rows = rows[:shifts]
        else:
            rows = [(question, row) for question in group if (row := answers.last(question.id)) is not None]
        read = [(question, self._letter_of(row)) for question, row in rows]
        hits = [reading.letters == question.gold for question, reading in read]
        circular = float(len(hits) == shifts and all(hits))
        values = {"accuracy": circular, "MCQ": circular, "MCQ plain": sum(hits) / shifts}
        letters_read = [reading.letters for _, reading in read]
        status: Status = "missing" if not rows else "unparsable" if not any(letters_read) else "scored"
        return Unit(
            parent,
            first.cluster,
            first.tags,
            status,
            values,
            letters_read + [None] * (shifts - len(letters_read)),
            "circular",
            tuple(self._shift(question, answers.last(question.id)) for question in group),
            {"accuracy": shifts**-shifts, "MCQ": shifts**-shifts, "MCQ plain": 1 / shifts},
        )

    def _shift(self, question: Gold, row: Mapping[str, Any] | None) -> Unit:
        """Return the result of one shift, which alone is no unit."""
        reading = NOTHING if row is None else self._letter_of(row)
        answered: Status = "failed" if row is not None and row.get("response") is None else "unparsable"
        status: Status = "missing" if row is None else "scored" if reading.letters else answered
        right = {"accuracy": float(reading.letters == question.gold)}
        return question.unit(status, right, reading.letters, reading.rule)

    def _letter_of(self, row: Mapping[str, Any]) -> Read:
        return letters.overridden(row) or self.read_letter(row.get("response") or "")


def _chances_of_one(question: Gold) -> dict[str, float]:
    """Return the chance level of a set of letters: one of all sets that are not empty; of a blank it is 0."""
    if question.tags["type"] == "FBQ":
        return {"accuracy": 0.0, "FBQ": 0.0}
    if not (options := question.row["options"]):
        return {}
    one = 1 / (2 ** len(options) - 1)
    return {"accuracy": one, "MRQ": one, "MRQ de-duplicated": one}


def _judged(gold_text: str, row: Mapping[str, Any]) -> tuple[float | None, str]:
    reply = row.get("judge_reply")
    if not isinstance(reply, str):
        return None, "no judge_reply"
    return blanks.judge_verdict(reply), "judge"


def _by_rules(gold_text: str, row: Mapping[str, Any]) -> tuple[float | None, str]:
    return float(blanks.matches_by_rules(gold_text, row["response"])), "alike by more than 70%"


def _bias(units: Sequence[Unit]) -> dict[str, Extra]:
    """Compute the bias rate over questions with four options.

    The paper defines it over wrong answers; its Figure 7 was computed over all answers. This reports both.
    """
    four = [unit for unit in units if unit.tags.get("type") == "MCQ" and unit.extracted and len(unit.extracted) == 4]
    wrong = [letter for unit in four if unit.values.get("MCQ") == 0.0 for letter in unit.extracted]
    every = [letter for unit in four for letter in unit.extracted]
    valid = sum(letter in set("ABCD") for letter in wrong)
    return {
        "bias rate": Extra(bias_rate(wrong, of=valid), {"n": len(wrong), "over": "wrong groups, valid letters"}),
        "bias rate, all answers": Extra(bias_rate(every, of=len(every)), {"n": len(every), "over": "all answers"}),
    }


_JUDGE: Final = "the model that judges blanks"
_OFFICIAL: Final = _Scoring(letters.cmmu_single, letters.cmmu_multiple, by_rows=True, judge_blank=_judged)


def _set_on_last_line(response: str) -> Read:
    reading = letters.cmmu_multiple(letters.last_line(response))
    return reading._replace(letters="".join(sorted(set(reading.letters)))) if reading.letters else reading


_PAPER: Final = _Scoring(
    lambda response: letters.cmmu_single(letters.last_line(response)),
    _set_on_last_line,
    by_rows=False,
    judge_blank=_judged,
)
_RULES: Final = _Scoring(letters.cmmu_single, letters.cmmu_multiple, by_rows=True, judge_blank=_by_rules)

PROFILES: Final = (
    Profile(
        "cmmu/official",
        "CMMU's published code: groups by rows, the last keyword cuts, repeated letters stay",
        gold,
        _name,
        _keep,
        _OFFICIAL.units,
        finish=_bias,
        repeats="each",
        needs={"judge_reply": _JUDGE},
    ),
    Profile(
        "cmmu/paper",
        "CMMU section 3.3: only the last line counts, all shifts have to be right, sets are sets",
        gold,
        _name,
        _keep,
        _PAPER.units,
        finish=_bias,
        needs={"judge_reply": _JUDGE},
    ),
    Profile(
        "cmmu/fbq-rules",
        "CMMU's published code, blanks by its rules instead of a judge",
        gold,
        _name,
        _keep,
        _RULES.units,
        finish=_bias,
        repeats="each",
    ),
)
