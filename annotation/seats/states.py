"""Life of a seat."""

from annotation.items.states import Relation
from curation.core.transitions import SYSTEM, Table, move

_HOLDER = Relation.SEAT_HOLDER

TABLE: Table = {
    "claim": move("free", "held", "pool_claim", Relation.AS_ITS_PACKAGE_SAYS),
    "renew": move("held", "held", "pool_renew", _HOLDER),
    "release": move("held", "free", "pool_release", _HOLDER),
    # Nobody renewed it in time; a sweep frees it.
    "lapse": move("held", "free", "pool_renew", SYSTEM),
    # A late verdict counts while nobody else has the seat: it is free, but remembers its last holder.
    "review": move("held free", "done", "item_review", _HOLDER),
    "inspect": move("held free", "done", "item_inspect", _HOLDER),
    "decide_skip": move("held free", "done", "item_skip_decide", _HOLDER),
    # A colleague corrected the item, so that verdicts on the older revision no longer count.
    "reopen": move("done", "free", "item_review", SYSTEM),
}
