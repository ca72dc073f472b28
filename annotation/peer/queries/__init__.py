"""What teams and curators see of the teams' work."""

from annotation.peer.queries.board import team_board
from annotation.peer.queries.credit import COLUMNS, credit, credit_lines
from annotation.peer.queries.places import team_places
from annotation.peer.queries.spot_checks import changed_spot_checks, spot_check_sheet, spot_checks
from annotation.peer.queries.statistics import team_statistics
from annotation.peer.queries.work import changed_item, claimed_pool, peer_item, peer_pool

__all__ = [
    "COLUMNS",
    "changed_item",
    "changed_spot_checks",
    "claimed_pool",
    "credit",
    "credit_lines",
    "peer_item",
    "peer_pool",
    "spot_check_sheet",
    "spot_checks",
    "team_board",
    "team_places",
    "team_statistics",
]
