"""Stages and outcomes of verdicts, and the forms of judgings."""

from annotation.judging.rules.forms import WrongValue, clean_values, is_passed
from annotation.judging.rules.stages import (
    CLICKS,
    OUTCOMES,
    PANEL,
    POSITIVE,
    STAGES,
    WITH_JUDGING,
    picture_changed_sql,
)

__all__ = [
    "CLICKS",
    "OUTCOMES",
    "PANEL",
    "POSITIVE",
    "STAGES",
    "WITH_JUDGING",
    "WrongValue",
    "clean_values",
    "is_passed",
    "picture_changed_sql",
]
