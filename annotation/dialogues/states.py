"""The state table of dialogues.

Two people who wait in the lobby are paired by the application. They write in turns; the last answer makes the dialogue
an item that waits for a decision. Both may pause a dialogue and come back to it, and either may leave it for good.
"""

from __future__ import annotations

from enum import StrEnum

from curation.core.transitions import SYSTEM, Table, move, stay


class Relation(StrEnum):
    """Relations of a person to a dialogue."""

    PARTY = "one_of_the_two"
    ON_TURN = "on_turn"


TABLE: Table = {
    # "waiting" is the lobby: a dialogue begins with both of its people.
    "pair": move("waiting", "open", "lobby_join", SYSTEM),
    "say": stay("open", "turn_say", Relation.PARTY, Relation.ON_TURN),
    "finish": move("open", "done", "turn_say", SYSTEM),
    "pause": move("open", "paused", "dialogue_pause", Relation.PARTY),
    # One of them gave no sign for as long as the protocol says.
    "away": move("open", "paused", "dialogue_pause", SYSTEM),
    "come_back": stay("paused", "dialogue_resume", Relation.PARTY),
    "resume": move("paused", "open", "dialogue_resume", SYSTEM),
    "leave": move("open paused", "left", "dialogue_leave", Relation.PARTY),
    # It was paused for 14 days, or what it is about was changed or excluded.
    "end": move("open paused", "left", "dialogue_leave", SYSTEM),
}
