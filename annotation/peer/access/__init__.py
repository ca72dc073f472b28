"""Access to items that people create on pictures of their choice.

In the peer track these belong to teams: members write and check each other's, curators check those of every team. In
the panel track they belong to no team: people who write in the benchmark create them, and others judge them.
"""

from annotation.peer.access.items import (
    Involvement,
    actions,
    author_of,
    check_action,
    check_reach,
    credited_author,
    involvement,
    lock_item_for,
    open_spot_checks,
    team_items,
)
from annotation.peer.access.teams import (
    checks_all,
    checks_for,
    items_opened_to,
    judges,
    most_held,
    oversees,
    panel_items_opened_to,
    panel_pictures_shown_to,
    panel_settings,
    pictures_shown_to,
    seats_open_to,
    teams_of,
    teams_to_check,
    track_of,
    track_of_item,
    writes_alone,
    writes_for,
)

__all__ = [
    "Involvement",
    "actions",
    "author_of",
    "check_action",
    "check_reach",
    "checks_all",
    "checks_for",
    "credited_author",
    "involvement",
    "items_opened_to",
    "judges",
    "lock_item_for",
    "most_held",
    "open_spot_checks",
    "oversees",
    "panel_items_opened_to",
    "panel_pictures_shown_to",
    "panel_settings",
    "pictures_shown_to",
    "seats_open_to",
    "team_items",
    "teams_of",
    "teams_to_check",
    "track_of",
    "track_of_item",
    "writes_alone",
    "writes_for",
]
