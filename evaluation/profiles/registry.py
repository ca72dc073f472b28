"""The registry of profiles."""

from __future__ import annotations

from typing import Final

from curation.core.registry import Registry
from evaluation.profiles import choices, cmmu, cvlue, dialogues
from evaluation.profiles.base import Profile

PROFILES: Final[Registry[Profile]] = Registry(
    "profile",
    {profile.name: profile for profile in (*cvlue.PROFILES, *choices.PROFILES, *cmmu.PROFILES, *dialogues.PROFILES)},
)
