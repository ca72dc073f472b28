"""Profiles of CMMU: circular questions with options, sets of letters, blanks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluation.metrics.bias import bias_rate
from evaluation.profiles import blanks, letters
from evaluation.profiles.base import Answers, Extra, Gold, Profile, Status, Unit, picture_of, tags_of
from evaluation.profiles.choices import options_of
from evaluation.profiles.letters import Read
from evaluation.profiles.rows import Row, WrongInput

_TYPES: Final = {"multiple-choice": "MCQ", "multiple-response": "MRQ", "fill-in-the-blank": "FBQ"}
_LETTERS: Final = "ABCDEFGH"


def gold(row: Row) -> Iterator[Gold]:
    """CMMU's rows, each as what is asked of it.

    A question with k options as k shifts ``<id>-<i>``, whose right letter is moved on by i; a question with several
    right options once, as ``<id>-0``; each blank as ``<id>-<i>``.
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
    right = fields.get("gold", fields.get("answer"))
    given: list[Any] = right if isinstance(right, list) else [right]
    if not given or not all(isinstance(one, str) and one.strip() for one in given):
        raise WrongInput(row.file, row.line, "answer", "a letter, letters, or a list of texts")
    if kind == "FBQ":
        for i, one in enumerate(given):
            yield Gold(f"{name}-{i}", one, cluster, tags, about)
        return
    wanted = "".join(given).strip().upper()
    if any(letter not in _LETTERS for letter in wanted):
        raise WrongInput(row.file, row.line, "answer", "letters from A to H")
    if kind == "MRQ":
        yield Gold(f"{name}-0", "".join(sorted(wanted)), cluster, tags, about)
        return
    options = options_of(fields)
    if len(wanted) != 1 or not 2 <= len(options) <= len(_LETTERS) or _LETTERS.index(wanted) >= len(options):
        raise WrongInput(row.file, row.line, "options", "two to eight options, and the letter of one of them in answer")
    for i in range(len(options)):
        shifted = _LETTERS[(_LETTERS.index(wanted) + i) % len(options)]
        yield Gold(f"{name}-{i}", shifted, cluster, tags, about | {"shifts": len(options)})


def _keep(row: Row) -> dict[str, Any]:
    fields = row.fields
    said = fields.get("response", fields.get("answer"))
    if not isinstance(said, str | type(None)):
        raise WrongInput(row.file, row.line, "response", "text")
    kept: dict[str, Any] = {"line": row.line, "response": said}
    return kept | {name: fields[name] for name in ("judge_reply", "error") if fields.get(name) is not None}


def _name(row: Row) -> str:
    return row.id("id", "question_id")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one profile makes of answers.

    Attributes:
        single: Reads one letter.
        several: Reads a set of letters.
        by_rows: Whether a group of shifts is settled by as many rows as it has shifts, a repeated shift among them, and
            is not counted without them; else every shift has to be there, and what is missing is wrong.
        blank: Judges a blank: 0..1 and the rule; None where nothing could be judged.
    """

    single: Callable[[str], Read]
    several: Callable[[str], Read]
    by_rows: bool
    blank: Callable[[str, Mapping[str, Any]], tuple[float | None, str]]

    def units(self, questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        """Groups of shifts, sets and blanks."""
        groups: dict[str, list[Gold]] = defaultdict(list)
        for asked in questions:
            if asked.tags["type"] != "MCQ":
                yield self._one(asked, answers)
                continue
            group = groups[asked.row["parent"]]
            group.append(asked)
            if len(group) == asked.row["shifts"]:
                yield self._group(groups.pop(asked.row["parent"]), answers)

    def _one(self, asked: Gold, answers: Answers) -> Unit:
        kind = asked.tags["type"]
        row = answers.last(asked.id)
        nothing = {} if self.by_rows else {"accuracy": 0.0, kind: 0.0}
        if row is None or row.get("response") is None:
            return Unit(asked.id, asked.cluster, asked.tags, "missing" if row is None else "failed", nothing)
        if kind == "FBQ":
            value, rule = self.blank(asked.gold, row)
            wrong = {"accuracy": value or 0.0, kind: value or 0.0}
            status: Status = "scored" if value is not None else "unparsable"
            return Unit(
                asked.id, asked.cluster, asked.tags, status, wrong, row["response"] if value is not None else None, rule
            )
        found = self.several(row["response"])
        once = "".join(sorted(set(found.letters or "")))
        right = float(found.letters == asked.gold)
        values = {"accuracy": right, kind: right, "MRQ de-duplicated": float(once == asked.gold)}
        of_set: Status = "scored" if found.letters else "refused" if found.rule == "refused" else "unparsable"
        return Unit(asked.id, asked.cluster, asked.tags, of_set, values, found.letters, found.rule)

    def _group(self, group: Sequence[Gold], answers: Answers) -> Unit:
        first = group[0]
        parent, shifts = first.row["parent"], len(group)
        if self.by_rows:
            rows = [(asked, row) for asked in group for row in answers.all(asked.id)]
            rows.sort(key=lambda pair: pair[1]["line"])
            if len(rows) < shifts:
                return Unit(parent, first.cluster, first.tags, "missing", {})
            rows = rows[:shifts]
        else:
            rows = [(asked, row) for asked in group if (row := answers.last(asked.id)) is not None]
        read = [(asked, self.single(row.get("response") or "")) for asked, row in rows]
        hits = [found.letters == asked.gold for asked, found in read]
        circular = float(len(hits) == shifts and all(hits))
        values = {"accuracy": circular, "MCQ": circular, "MCQ plain": sum(hits) / shifts}
        said = [found.letters for _, found in read]
        status: Status = "missing" if not rows else "unparsable" if not any(said) else "scored"
        return Unit(parent, first.cluster, first.tags, status, values, said + [None] * (shifts - len(said)), "circular")


def _judged(gold_text: str, row: Mapping[str, Any]) -> tuple[float | None, str]:
    reply = row.get("judge_reply")
    if not isinstance(reply, str):
        return None, "no judge_reply"
    return blanks.judged(reply), "judge"


def _by_rules(gold_text: str, row: Mapping[str, Any]) -> tuple[float | None, str]:
    return float(blanks.by_rules(gold_text, row["response"])), "alike by more than 70 %"


def _bias(units: Sequence[Unit]) -> dict[str, Extra]:
    """Bias rate over questions with four options.

    By the paper over those that came out wrong, and over all answers, as its Figure 7 was computed.
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
_OFFICIAL: Final = _Reading(letters.cmmu_single, letters.cmmu_multiple, by_rows=True, blank=_judged)


def _set_on_last_line(response: str) -> Read:
    found = letters.cmmu_multiple(letters.last_line(response))
    return found._replace(letters="".join(sorted(set(found.letters)))) if found.letters else found


_PAPER: Final = _Reading(
    lambda response: letters.cmmu_single(letters.last_line(response)), _set_on_last_line, by_rows=False, blank=_judged
)
_RULES: Final = _Reading(letters.cmmu_single, letters.cmmu_multiple, by_rows=True, blank=_by_rules)

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
