"""The state table of seats."""

from annotation.items.states import Relation
from curation.core.transitions import SYSTEM, Table, move

_HOLDER = Relation.SEAT_HOLDER

TABLE: Table = {
    "claim": move("free", "held", "pool_claim", Relation.AS_ITS_PACKAGE_SAYS),
    "renew": move("held", "held", "pool_renew", _HOLDER),
    "release": move("held", "free", "pool_release", _HOLDER),
    # The lease expired; a sweep frees the seat.
    "lapse": move("held", "free", "pool_renew", SYSTEM),
    # A late verdict counts until someone else claims the seat: a free seat records its last holder.
    "review": move("held free", "done", "item_review", _HOLDER),
    "inspect": move("held free", "done", "item_inspect", _HOLDER),
    "decide_skip": move("held free", "done", "item_skip_decide", _HOLDER),
    # A colleague corrected the item, so that verdicts on the older revision no longer count.
    "reopen": move("done", "free", "item_review", SYSTEM),
}

# Verdicts on items of teams need no seat: it keeps colleagues away while one of them checks the item.
PEER: Table = {
    "star": move("held free", "done", "item_star", Relation.NOT_HELD_BY_OTHERS),
    "send_back": move("held free", "done", "item_send_back", Relation.NOT_HELD_BY_OTHERS),
    # The item was submitted again, by its author or by the person who held the seat.
    "offer": move("held done", "free", "item_submit", SYSTEM),
}

# Before a panel every judge needs a seat.
PANEL: Table = {"judge": move("held free", "done", "item_judge", _HOLDER)}

# The last click of an item closes the seat.
CLICKS: Table = {"click": move("held free", "done", "item_click", _HOLDER)}
