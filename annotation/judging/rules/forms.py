"""Values of a form's fields, and what several people's verdicts come to.

A form is a list of fields as a protocol has them (:mod:`curation.benchmarks.rules.forms`): exactly one of type
``pass``, whose value is the verdict's outcome, and any of the types ``scale``, ``level``, ``labels`` and ``text``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from curation.core.errors import TextRefused
from curation.core.text import clean, shows_nothing

Form: TypeAlias = Sequence[Mapping[str, Any]]
_LONGEST_CODE: Final = 48


class WrongValue(Exception):
    """A value does not fit its field.

    Attributes:
        field: The field's code, as far as codes may be long.
        fault: ``missing``, ``unknown`` (no such field) or ``invalid``.
    """

    def __init__(self, field: str, fault: Literal["missing", "unknown", "invalid"]) -> None:
        super().__init__(f"{field}: {fault}")
        self.field, self.fault = field[:_LONGEST_CODE], fault


def clean_values(form: Form, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all fields except ``pass`` as they are stored; fields without a value are left out.

    Labels come in the order of the form.

    Raises:
        WrongValue: A required field has no value, or a value is not of its field's type, or has no field.
    """
    fields = {field["code"]: field for field in form if field["type"] != "pass"}
    for code in values:
        if code not in fields:
            raise WrongValue(code, "unknown")
    cleaned = {code: _cleaned(field, values.get(code)) for code, field in fields.items()}
    for code, value in cleaned.items():
        if value is None and fields[code]["required"]:
            raise WrongValue(code, "missing")
    return {code: value for code, value in cleaned.items() if value is not None}


def _cleaned(field: Mapping[str, Any], value: Any) -> Any:
    """Return a value as it is stored; None if there is none."""
    if value is None or value in ("", []):
        return None
    match field["type"]:
        case "scale":
            low, high = field["minimum"], field["maximum"]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise WrongValue(field["code"], "invalid")
            return value
        case "level":
            codes = [option["code"] for option in field["options"]]
            if not isinstance(value, str) or value not in codes:
                raise WrongValue(field["code"], "invalid")
            return value
        case "labels":
            codes = [option["code"] for option in field["options"]]
            if not isinstance(value, list) or any(not isinstance(one, str) or one not in codes for one in value):
                raise WrongValue(field["code"], "invalid")
            return [code for code in codes if code in value]
        case _:
            return _text(field, value)


def _text(field: Mapping[str, Any], value: Any) -> str | None:
    if not isinstance(value, str):
        raise WrongValue(field["code"], "invalid")
    try:
        cleaned = clean(value, lines=True)
    except TextRefused as error:
        raise WrongValue(field["code"], "invalid") from error
    if len(cleaned) > field["longest"]:
        raise WrongValue(field["code"], "invalid")
    return None if shows_nothing(cleaned) else cleaned


def is_passed(outcomes: Iterable[str]) -> bool:
    """Return whether a judging is passed: every verdict is a pass."""
    return all(outcome == "pass" for outcome in outcomes)
