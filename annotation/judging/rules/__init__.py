"""Stages and outcomes of verdicts, and the forms of judgings."""

from annotation.judging.rules.forms import WrongValue, clean_values, is_passed
from annotation.judging.rules.stages import OUTCOMES, PANEL, POSITIVE, STAGES, picture_changed_sql

__all__ = ["OUTCOMES", "PANEL", "POSITIVE", "STAGES", "WrongValue", "clean_values", "is_passed", "picture_changed_sql"]
