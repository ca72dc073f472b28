"""Rules of leaderboards: the order of systems and groups, and their tables and charts as files."""

from evaluation.leaderboards.rules.order import (
    DISTANCE_NAMES,
    DISTANCES,
    NO_CATEGORY,
    Gap,
    board_order,
    gaps,
)

__all__ = ["DISTANCES", "DISTANCE_NAMES", "NO_CATEGORY", "Gap", "board_order", "gaps"]
