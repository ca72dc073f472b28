"""Suites: every task that systems are given, for accepted items and for the files of benchmarks."""

from __future__ import annotations

from typing import Final

from curation.core.registry import Registry
from evaluation.suites.rules import choices, cmmu, cvlue
from evaluation.suites.rules.dialogues import Dialogues, read_dialogues
from evaluation.suites.rules.suite import (
    CAPABILITIES,
    IMAGE,
    Answer,
    Context,
    Entry,
    Means,
    Question,
    Setting,
    Side,
    Suite,
    settings_digest,
)

SUITES: Final[Registry[Suite]] = Registry(
    "suite", {suite.name: suite for suite in (*cvlue.SUITES, *choices.SUITES, cmmu.SUITE)}
)

__all__ = [
    "CAPABILITIES",
    "IMAGE",
    "SUITES",
    "Answer",
    "Context",
    "Dialogues",
    "Entry",
    "Means",
    "Question",
    "Setting",
    "Side",
    "Suite",
    "read_dialogues",
    "settings_digest",
]
