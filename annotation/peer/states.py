"""The state tables of items that people create on pictures of their choice.

In the peer track (CVQA, section 2.2 and appendix B) a colleague in the team, or a curator, stars an item, edits it or
sends it back. Whoever wrote the newest revision is its author: after an edit the former author may star the item, and
the editor may not.

In the panel track (TCC-Bench, section 3.3) several people who wrote nothing of the item judge it independently; once
the last of them has, it is accepted, returned or excluded.

In the pair track (CVLUE, appendix A.2.4) an item rests on accepted work, and a second person, who sees neither that nor
the answer, finds what is meant. Who fails returns it to its author; after as many failures as the protocol allows, a
person who reviews or inspects decides.
"""

from typing import Final

from annotation.items.states import EVERY_TRACK, Relation
from curation.core.transitions import SYSTEM, Table, move, stay

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

_FIRST_AUTHOR = Relation.FIRST_AUTHOR_OR_LEAD
_UNJUDGED = (Relation.NEWEST_AUTHOR, Relation.NO_VERDICT_YET)

PANEL: Table = {
    "submit": move("todo", "made", "item_submit", _MEMBER),
    "submit_returned": move("returned", "made", "item_submit", _FIRST_AUTHOR),
    "submit_again": move("made", "made", "item_submit", *_UNJUDGED),
    "judge": stay("made", "item_judge", Relation.NOT_MAKER, Relation.SEAT_HOLDER),
    # What follows from the last verdict.
    "pass": move("made", "accepted", "item_judge", SYSTEM),
    "fail": move("made", "excluded", "item_judge", SYSTEM),
    "fail_and_return": move("made", "returned", "item_judge", SYSTEM),
    # An accepted item turned out to be wrong; its author corrects it, and a panel judges it again.
    "reopen": move("accepted", "returned", "item_reopen", Relation.NOT_MAKER),
    "discard": move("todo returned", "excluded", "item_discard", _FIRST_AUTHOR),
    "discard_unjudged": move("made", "excluded", "item_discard", *_UNJUDGED),
    # Its author left, or no one is there to judge it.
    "discard_of_others": move("todo made returned", "excluded", "item_discard", Relation.OVERSEER),
    **EVERY_TRACK,
    "save_draft": stay("todo", "draft_save", _MEMBER),
    "save_draft_of_returned": stay("returned", "draft_save", _FIRST_AUTHOR),
    "save_own_draft": stay("made", "draft_save", *_UNJUDGED),
}

PAIR: Table = {
    "submit": move("todo", "made", "item_submit", _MEMBER),
    "submit_returned": move("returned", "made", "item_submit", _FIRST_AUTHOR),
    "submit_again": move("made", "made", "item_submit", *_UNJUDGED),
    "click": stay("made", "item_click", Relation.NOT_MAKER, Relation.SEAT_HOLDER),
    # What follows from the last click. After the last failure that the protocol allows the item waits for a decision.
    "pass": move("made", "accepted", "item_click", SYSTEM),
    "fail": move("made", "returned", "item_click", SYSTEM),
    "fail_for_decision": stay("made", "item_click", SYSTEM),
    "decide_right": move("made", "accepted", "item_decide", Relation.DECIDES),
    "decide_wrong": move("made", "excluded", "item_decide", Relation.DECIDES),
    "correct": move("made", "made", "item_decide", Relation.DECIDES),
    "reopen": move("accepted", "returned", "item_reopen", Relation.NOT_MAKER),
    "discard": move("todo returned", "excluded", "item_discard", _FIRST_AUTHOR),
    "discard_unjudged": move("made", "excluded", "item_discard", *_UNJUDGED),
    "discard_of_others": move("todo made returned", "excluded", "item_discard", Relation.OVERSEER),
    **EVERY_TRACK,
    # What it rests on was accepted with another content, or excluded.
    "return_with_base": move("made accepted", "returned", "item_submit", SYSTEM),
    "exclude_with_base": move("todo made returned accepted", "excluded", "item_exclude", SYSTEM),
    "save_draft": stay("todo", "draft_save", _MEMBER),
    "save_draft_of_returned": stay("returned", "draft_save", _FIRST_AUTHOR),
    "save_own_draft": stay("made", "draft_save", *_UNJUDGED),
}

# The table of each track.
TABLES: Final[dict[str, Table]] = {"peer": TABLE, "panel": PANEL, "pair": PAIR}
