"""Stages and outcomes of verdicts."""

from __future__ import annotations

from typing import Final

STAGES: Final = ("review", "inspection", "peer", "spot_check")
# The outcomes of every stage by which a judge finds the revision right.
POSITIVE: Final = ("accept", "right", "star")
# All outcomes; statistics also count the edit of a colleague's item as one.
OUTCOMES: Final = (*POSITIVE, "correct", "return", "wrong", "edit")
