"""Commands of teams on their items."""

from annotation.peer.services.checking import discard_item, reopen_item, send_back_item, star_item
from annotation.peer.services.creating import create_item
from annotation.peer.services.pool import claim_items, release_seats, renew_seats
from annotation.peer.services.spot_checks import draw_spot_check, judge_spot_check

__all__ = [
    "claim_items",
    "create_item",
    "discard_item",
    "draw_spot_check",
    "judge_spot_check",
    "release_seats",
    "renew_seats",
    "reopen_item",
    "send_back_item",
    "star_item",
]
