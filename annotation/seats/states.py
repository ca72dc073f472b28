"""Life of a seat."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "claim": move("free", "held", "pool_claim"),
    "renew": move("held", "held", "pool_renew"),
    "release": move("held", "free", "pool_release"),
    # Nobody renewed it in time; a sweep frees it.
    "lapse": move("held", "free", "pool_renew"),
    # A late verdict is taken while nobody else has the seat: free, but remembered as the judge's.
    "review": move("held free", "done", "item_review"),
    "inspect": move("held free", "done", "item_inspect"),
    "decide_skip": move("held free", "done", "item_skip_decide"),
    # A colleague corrected the item, so that what was said of the older revision no longer counts.
    "reopen": move("done", "free", "item_review"),
}
