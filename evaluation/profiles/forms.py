"""The fields of the benchmarks' published gold files, to say which file a row seems to be from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from evaluation.profiles.rows import Row, WrongInput

#: Family of profiles → fields that every row of its benchmark's file has.
FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "cvlue-itr": ("image", "caption"),
    "cvlue-vqa": ("image", "question_id", "question", "answer"),
    "cvlue-vg": ("ref_id", "image", "text", "width", "height", "bbox"),
    "cvlue-vd": ("image_id", "dialog_id", "question", "answer_options", "answer"),
    "cvqa-mcq": ("ID", "Subset", "Question", "Options", "Label", "Category"),
    "tcc-mcq": ("id", "Image", "Category", "Question", "A", "B", "Answer"),
    "vistai-mcq": ("qid", "question", "A", "B", "answer"),
    "cmmu": ("id", "type", "question_info", "answer"),
    "vistai-dialogue": ("thread_id", "question", "ground_truth"),
}


# Those that rows of hidden splits may lack.
_RIGHT_ANSWERS: Final = frozenset({"answer", "Answer", "Label", "bbox", "ground_truth"})


def family(profile: str) -> str:
    """Return the family of a profile's name: ``cmmu`` of ``cmmu/paper``."""
    return profile.partition("/")[0]


def with_form(error: WrongInput, row: Row, profile: str, name: Callable[[str], str] = family) -> WrongInput:
    """Return the error of a gold row with the form that was expected and whose it seems to be.

    Args:
        error: What is wrong with the row.
        row: The row.
        profile: The profile that reads it.
        name: The name of a family for people.

    Returns:
        The same error if the row has all published fields, so that only a value is wrong.
    """
    own = family(profile)
    if has_form(own, row.fields):
        return error
    others = [name(other) for other in FORMS if other != own and has_form(other, row.fields)]
    hint = f"{name(own)} reads rows {{{', '.join(FORMS[own])}}}"
    if others:
        hint += f"; this row is one of {' or '.join(others)}"
    return WrongInput(error.file, error.line, error.field, error.expected, hint)


def has_form(of: str, fields: Mapping[str, Any]) -> bool:
    """Return whether a row has all fields of a family's published file, but for the right answer."""
    return fields.keys() >= set(FORMS[of]) - _RIGHT_ANSWERS
