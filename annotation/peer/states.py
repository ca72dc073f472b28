"""The state table of items in the peer track (CVQA, section 2.2 and appendix B).

A colleague in the team, or a curator, stars an item, edits it or sends it back. Whoever wrote the newest revision is
its author: after an edit the former author may star the item, and the editor may not.
"""

from annotation.items.states import EVERY_TRACK, Relation
from curation.core.transitions import Table, move, stay

_MEMBER = Relation.TEAM_MEMBER
_AUTHOR = Relation.NEWEST_AUTHOR
# NOT_NEWEST_AUTHOR comes first so that authors get the error OwnWork.
_CHECKER = (Relation.NOT_NEWEST_AUTHOR, Relation.NOT_HELD_BY_OTHERS)

TABLE: Table = {
    "submit": move("todo returned", "made", "item_submit", _MEMBER),
    "submit_again": move("made", "made", "item_submit", _AUTHOR),
    "edit": move("made accepted", "made", "item_submit", *_CHECKER),
    "star": move("made", "accepted", "item_star", *_CHECKER),
    "send_back": move("made", "returned", "item_send_back", *_CHECKER),
    "discard": move("todo made returned", "excluded", "item_discard", Relation.FIRST_AUTHOR_OR_LEAD),
    # No member is left who could finish it.
    "discard_of_closed_team": move("todo made returned", "excluded", "item_discard", Relation.CURATOR_OF_CLOSED_TEAM),
    # The item was drawn for a spot check: it stays accepted, or its star no longer counts.
    "spot_right": stay("accepted", "item_spot_check", Relation.NOT_NEWEST_AUTHOR, Relation.DRAWN),
    "spot_wrong": move("accepted", "returned", "item_spot_check", Relation.NOT_NEWEST_AUTHOR, Relation.DRAWN),
    **EVERY_TRACK,
    # Drafts are saved by the people who may submit.
    "save_draft": stay("todo returned", "draft_save", _MEMBER),
    "save_own_draft": stay("made", "draft_save", _AUTHOR),
    "save_draft_of_edit": stay("made accepted", "draft_save", *_CHECKER),
}
