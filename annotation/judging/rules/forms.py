"""Values of a form's fields, and what several people's verdicts come to.

A form is a list of fields as a protocol has them (:mod:`curation.benchmarks.rules.forms`): exactly one of type
``pass``, whose value is the verdict's outcome, and any of the types ``scale``, ``level``, ``labels`` and ``text``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from curation.core.errors import TextRefused
from curation.core.text import clean, shows_nothing

Form: TypeAlias = Sequence[Mapping[str, Any]]


class WrongValue(Exception):
    """A value does not fit its field.

    Attributes:
        field: The field's code.
        expected: What the field takes.
    """

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field, self.expected = field, expected


def clean_values(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all fields except ``pass`` as they are stored; fields without a value are left out.

    Labels come in the order of the form.

    Raises:
        WrongValue: A required field has no value, or a value is not of its field's type, or has no field.
    """
    fields = {field["code"]: field for field in form if field["type"] != "pass"}
    for code in values:
        if code not in fields:
            raise WrongValue(code, "no value, because the form has no such field")
    cleaned = {code: _cleaned(field, values.get(code)) for code, field in fields.items()}
    for code, value in cleaned.items():
        if value is None and fields[code]["required"]:
            raise WrongValue(code, "a value")
    return {code: value for code, value in cleaned.items() if value is not None}


def _cleaned(field: Mapping[str, Any], value: Any) -> Any:
    """Return a value as it is stored; None if there is none."""
    if value is None or value in ("", []):
        return None
    match field["type"]:
        case "scale":
            low, high = field["minimum"], field["maximum"]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise WrongValue(field["code"], f"a whole number from {low} to {high}")
            return value
        case "level":
            codes = [option["code"] for option in field["options"]]
            if not isinstance(value, str) or value not in codes:
                raise WrongValue(field["code"], f"one of {', '.join(codes)}")
            return value
        case "labels":
            codes = [option["code"] for option in field["options"]]
            if not isinstance(value, list) or any(not isinstance(one, str) or one not in codes for one in value):
                raise WrongValue(field["code"], f"some of {', '.join(codes)}")
            return [code for code in codes if code in value]
        case _:
            return _text(field, value)


def _text(field: Mapping[str, Any], value: Any) -> str | None:
    expected = f"a text of at most {field['longest']} characters"
    if not isinstance(value, str):
        raise WrongValue(field["code"], expected)
    try:
        cleaned = clean(value, lines=True)
    except TextRefused as error:
        raise WrongValue(field["code"], expected) from error
    if len(cleaned) > field["longest"]:
        raise WrongValue(field["code"], expected)
    return None if shows_nothing(cleaned) else cleaned


def is_passed(outcomes: Iterable[str]) -> bool:
    """Return whether a judging is passed: everybody found the revision right."""
    return all(outcome == "pass" for outcome in outcomes)
