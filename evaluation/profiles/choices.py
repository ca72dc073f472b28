"""Profiles of questions with options: CVQA, TCC-Bench, VisTai-MCQ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from evaluation.profiles import letters
from evaluation.profiles.base import Answers, Gold, Profile, Status, Unit, is_withheld, picture_of, tags_of
from evaluation.profiles.letters import Read
from evaluation.profiles.reports import failed, plain_name
from evaluation.profiles.rows import Row, WrongInput

_LETTERS: Final = "ABCDEFGHIJ"
_LONGEST_NUMBER: Final = 20  # characters; Python reads no number of thousands
# The ``Label`` of CVQA's rows in the releases whose right answers only its leaderboard knows.
_HIDDEN_LABEL: Final = "-1"


def options_of(fields: Mapping[str, Any]) -> list[str]:
    """Return the options' texts, from a list or from columns with letters as names."""
    if isinstance(fields.get("options"), list):
        return list(map(str, fields["options"]))
    if isinstance(fields.get("Options"), list):
        return list(map(str, fields["Options"]))
    options = []
    for letter in _LETTERS:
        if not isinstance(fields.get(letter), str) or fields[letter] == "":
            break
        options.append(fields[letter])
    return options


def _letter_in(fields: Mapping[str, Any], *names: str) -> str | None:
    """Return the letter of a row from the first of its fields with one: a letter, or a number that counts from 0."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str):
            text = value.strip()
            if len(text) == 1 and text.upper() in _LETTERS:
                return text.upper()
            # Not ``isdigit``: ² is a digit and no number.
            if text.isdecimal() and len(text) <= _LONGEST_NUMBER:
                value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(_LETTERS):
            return _LETTERS[value]
    return None


def _no_letter(row: Row, name: str) -> WrongInput:
    return WrongInput(row.file, row.line, name, "a letter from A, or a number from 0")


def _right_letter(row: Row, *names: str) -> str | None:
    """Return the right letter of a gold row; None if it withholds it: no field has a value, or one is -1 as in CVQA."""
    letter = _letter_in(row.fields, *names)
    if letter is None:
        values = [row.fields.get(name) for name in names]
        if all(is_withheld(value) or str(value).strip() == _HIDDEN_LABEL for value in values):
            return None
        raise _no_letter(row, names[0])
    return letter


# --- gold rows --------------------------------------------------------------------------------------------------------


def cvqa_gold(row: Row) -> Iterator[Gold]:
    """Read CVQA's rows (``ID``, ``Subset``, ``Options``, ``Label``) or plain ones.

    ``Subset`` is the text of a Python tuple. This splits it and never evaluates it.
    """
    fields = row.fields
    name = row.id("id", "ID")
    tags = tags_of(fields)
    subset = fields.get("Subset")
    if isinstance(subset, str) and subset.startswith("("):
        parts = [part.strip().strip("'\"") for part in subset.strip("() ").split(",")]
        if len(parts) >= 2:
            tags |= {"language": parts[0], "country": parts[1], "pair": f"{parts[0]} - {parts[1]}"}
    for ours, theirs in (("category", "Category"), ("source", "Image Type")):
        if isinstance(fields.get(theirs), str):
            tags[ours] = fields[theirs]
    yield Gold(
        name, _right_letter(row, "gold", "Label"), picture_of(fields, name.split("_", maxsplit=1)[0]), tags, fields
    )


def tcc_gold(row: Row) -> Iterator[Gold]:
    """Read TCC-Bench's ``VQA.csv`` (``id``, ``Image``, ``Category``, ``A`` … ``D``, ``Answer``) or plain rows."""
    fields = row.fields
    name = row.id("id")
    tags = tags_of(fields)
    if isinstance(fields.get("Category"), str):
        tags["domain"] = fields["Category"]
    picture = fields.get("Image")
    cluster = str(picture) if isinstance(picture, str) and picture else picture_of(fields, name)
    yield Gold(name, _right_letter(row, "gold", "Answer"), cluster, tags, fields)


def vistai_gold(row: Row) -> Iterator[Gold]:
    """Read VisTai-MCQ's rows (``qid``, ``question``, ``A`` … ``D``, ``answer``, ``subject``) or plain ones.

    ``qid`` repeats across subjects, so the id of a row with a subject is ``subject/qid``.
    """
    fields = row.fields
    name = row.id("id", "qid")
    if "id" not in fields and isinstance(fields.get("subject"), str):
        name = f"{fields['subject']}/{name}"
    yield Gold(name, _right_letter(row, "gold", "answer"), picture_of(fields, name), tags_of(fields), fields)


# --- rows of predictions ----------------------------------------------------------------------------------------------


def _response(row: Row) -> dict[str, Any]:
    fields = row.fields
    if len(fields) == 2 and isinstance(fields.get("response"), str) and "id" in fields:
        return {"response": fields["response"]}  # the usual row, in a fraction of the time
    fields_kept: dict[str, Any] = {n: fields[n] for n in ("response", "error", "parser_reply") if n in fields}
    if "response" not in fields_kept:
        for theirs in ("llm_response", "answer"):
            if isinstance(fields.get(theirs), str):
                fields_kept["response"] = fields[theirs]
    if "response" not in fields_kept and "error" not in fields_kept:
        raise WrongInput(row.file, row.line, "response", "text, or error")
    if not isinstance(fields_kept.get("response", ""), str | dict | type(None)):
        raise WrongInput(row.file, row.line, "response", "text")
    return fields_kept


def _vistai_name(row: Row) -> str:
    name = row.id("id", "question_id", "qid")
    if "id" not in row.fields and isinstance(row.fields.get("subject"), str):
        return f"{row.fields['subject']}/{name}"
    return name


# --- units ------------------------------------------------------------------------------------------------------------

#: Reads a row's response to a question with these options.
Reader = Callable[[Mapping[str, Any], Sequence[str]], Read]


def _unit(question: Gold, options: Sequence[str], status: Status, letter: str | None = None, rule: str = "") -> Unit:
    """Make the unit of a question from the letter that was read; without a letter it is wrong."""
    values = _RIGHT if letter is not None and letter == question.gold else _WRONG
    return question.unit(status, values, letter, rule, _chances(len(options)))


# Units share these.
_RIGHT: Final[Mapping[str, float]] = {"accuracy": 1.0}
_WRONG: Final[Mapping[str, float]] = {"accuracy": 0.0}


@lru_cache(maxsize=64)
def _chances(options: int) -> Mapping[str, float]:
    return {"accuracy": 1 / options} if options else {}


def _choices(read: Reader) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    """Score all questions; a question without a readable answer is wrong."""

    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for question in questions:
            row = answers.last(question.id)
            options = options_of(question.row)
            if row is None:
                yield _unit(question, options, "missing")
            elif failed(row) or not isinstance(row.get("response"), str):
                yield _unit(question, options, "failed")
            else:
                letter, rule = letters.overridden(row) or read(row, options)
                status: Status = "scored" if letter is not None else "refused" if rule == "refused" else "unparsable"
                yield _unit(question, options, status, letter, rule)

    return units


def _only_answered(read: Reader) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    """Score as :func:`_choices`, but only questions with a row, because published scorers iterate over the answers."""

    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for unit in _choices(read)(questions, answers):
            yield unit._replace(values={}) if unit.status == "missing" else unit

    return units


def _by_text(read: Callable[[str], Read]) -> Reader:
    return lambda row, options: read(row["response"])


def _by_options(read: Callable[[str, Sequence[str]], Read]) -> Reader:
    return lambda row, options: read(row["response"], options)


def _parser(row: Mapping[str, Any]) -> Read:
    reply = row.get("parser_reply")
    return Read(reply, "parser") if isinstance(reply, str) and reply else Read(None, "no parser_reply")


def _vistai_official(row: Mapping[str, Any], options: Sequence[str]) -> Read:
    reading = letters.vistai_official(row["response"])
    return reading if reading.letters is not None else _parser(row)


def _vistai_paper(row: Mapping[str, Any], options: Sequence[str]) -> Read:
    reading = _parser(row)
    return reading._replace(letters=reading.letters.strip()) if reading.letters else reading


# --- option probabilities ---------------------------------------------------------------------------------------------


def _probabilities(row: Row) -> dict[str, Any]:
    """Read ``probabilities`` or ``log_probabilities``, one per option in order, or ``Prediction`` of CVQA's own CSV."""
    fields = row.fields
    for name in ("probabilities", "log_probabilities"):
        values = fields.get(name)
        if (
            isinstance(values, list)
            and values
            and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        ):
            return {"letter": _LETTERS[max(range(len(values)), key=lambda i: values[i])]}
    if fields.get("Prediction") not in (None, ""):
        letter = _letter_in(fields, "Prediction")
        if letter is None:
            raise _no_letter(row, "Prediction")
        return {"letter": letter}
    if fields.get("error"):
        return {"error": fields["error"]}
    raise WrongInput(row.file, row.line, "probabilities", "a list of one number for each option")


def _likeliest(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
    for question in questions:
        row = answers.last(question.id)
        options = options_of(question.row)
        if row is None or "letter" not in row:
            yield _unit(question, options, "missing" if row is None else "failed")
        else:
            yield _unit(question, options, "scored", row["letter"], "likeliest")


_PARSER: Final = "the model that reads the letter out of a response"
_CVQA: Final = partial(Profile, read_questions=cvqa_gold, name_of=plain_name)
_TCC: Final = partial(Profile, read_questions=tcc_gold, name_of=plain_name, keep=_response)
_VISTAI: Final = partial(
    Profile, read_questions=vistai_gold, name_of=_vistai_name, keep=_response, macro={"accuracy": "subject"}
)
PROFILES: Final = (
    _CVQA(
        name="cvqa-mcq/paper",
        source="CVQA section 4.1: the option of the highest probability; of equal ones the first",
        keep=_probabilities,
        units=_likeliest,
    ),
    _CVQA(
        name="cvqa-mcq/generated",
        source="The harnesses' readers of generated letters, without their random or similar-text fallback",
        keep=_response,
        units=_choices(_by_text(letters.generated)),
    ),
    _TCC(
        name="tcc-mcq/official",
        source="TCC-Bench's published scorer: all rows of the answer file",
        units=_only_answered(_by_text(letters.tcc_official)),
    ),
    _TCC(
        name="tcc-mcq/paper",
        source="TCC-Bench section 4.1: the same reader, over all questions",
        units=_choices(_by_text(letters.tcc_official)),
    ),
    _TCC(
        name="tcc-mcq/robust",
        source="Ours: careful reading (docs/profiles.md)",
        units=_choices(_by_options(letters.robust)),
        repeats="error",
    ),
    _VISTAI(
        name="vistai-mcq/official",
        source="VisTai's published rules, the parser's reply where neither matches; mean of the subjects",
        units=_only_answered(_vistai_official),
        needs={"parser_reply": _PARSER},
    ),
    _VISTAI(
        name="vistai-mcq/paper",
        source="VisTai section 3.1: every response read by a model; mean of the subjects",
        units=_choices(_vistai_paper),
        needs={"parser_reply": _PARSER},
    ),
    _VISTAI(
        name="vistai-mcq/robust",
        source="Ours: careful reading (docs/profiles.md); mean of the subjects",
        units=_choices(_by_options(letters.robust)),
        repeats="error",
    ),
)
