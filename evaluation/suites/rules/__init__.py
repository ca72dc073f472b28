"""Suites: every task that systems are given, for accepted items and for the files of benchmarks."""

from __future__ import annotations

from typing import Final

from curation.core.registry import Registry
from evaluation.suites.rules import choices, cmmu, cvlue
from evaluation.suites.rules.dialogues import Dialogues, read_dialogues
from evaluation.suites.rules.published import GALLERY_SPLIT, PUBLISHED, Fields, Published, evaluated_splits
from evaluation.suites.rules.suite import (
    CAPABILITIES,
    Answer,
    Context,
    Entry,
    Means,
    OverrideForm,
    Question,
    Setting,
    Side,
    Suite,
    settings_digest,
)

SUITES: Final[Registry[Suite]] = Registry(
    "suite", {suite.name: suite for suite in (*cvlue.SUITES, *choices.SUITES, cmmu.SUITE)}
)


def profiles_of(kind: str) -> tuple[str, ...]:
    """Return the profiles that score answers to a published kind: those of its suites, the headline first."""
    if kind not in PUBLISHED:
        return ()
    every = [profile for suite in SUITES.values() if suite.kind == kind for profile in suite.profiles]
    return tuple(sorted(every, key=lambda profile: profile != PUBLISHED[kind].headline))


def kind_of(profile: str) -> str:
    """Return the kind of annotation whose answers a profile scores; empty for one that scores none of a release."""
    return next((kind for kind in PUBLISHED if profile in profiles_of(kind)), "")


__all__ = [
    "CAPABILITIES",
    "GALLERY_SPLIT",
    "PUBLISHED",
    "SUITES",
    "Answer",
    "Context",
    "Dialogues",
    "Entry",
    "Fields",
    "Means",
    "OverrideForm",
    "Published",
    "Question",
    "Setting",
    "Side",
    "Suite",
    "evaluated_splits",
    "kind_of",
    "profiles_of",
    "read_dialogues",
    "settings_digest",
]
