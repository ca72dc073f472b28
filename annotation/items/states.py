"""The state table of items in packages, and the relations of people to items and packages."""

from enum import StrEnum

from curation.core.transitions import SYSTEM, Table, move


class Relation(StrEnum):
    """The relation of a person to an item or to the package it is in.

    ``uninvolved``: neither wrote nor reviewed in the package, in any round. ``seat_holder``: holds a seat of the item.
    ``as_its_package_says``: the package's table decides. The others are relations to items of teams; a person without
    the team's or a curator's capability has none of them except ``not_held_by_others``, that no one else has a
    seat, and ``drawn_for_a_spot_check``, that a spot check drew the accepted revision and no one judged it in one yet.
    ``first_author_or_lead``: the first member who submitted a text, and the lead; before that, every member unless a
    colleague has a draft. In the panel track, whose items belong to no team, everyone who writes in the benchmark is
    such a member; ``not_a_maker`` judges or administers and wrote no revision of the item, ``overseer`` inspects or
    administers, and ``no_verdict_yet`` holds until
    the first verdict of the judging is in.

    In the pair track ``not_a_maker`` may click or decide and wrote no revision of the item, ``no_verdict_yet`` holds
    until the second person's first click, and ``decides_now`` reviews or inspects an item that as many people failed as
    the protocol lets try.
    """

    ASSIGNEE = "assignee"
    NOT_ASSIGNEE = "not_the_assignee"
    REVIEWER = "reviewer"
    UNINVOLVED = "uninvolved"
    SEAT_HOLDER = "seat_holder"
    AS_ITS_PACKAGE_SAYS = "as_its_package_says"
    TEAM_MEMBER = "member_of_the_team"
    NEWEST_AUTHOR = "author_of_the_newest_revision"
    NOT_NEWEST_AUTHOR = "not_the_author_of_the_newest_revision"
    FIRST_AUTHOR_OR_LEAD = "first_author_or_lead"
    CURATOR_OF_CLOSED_TEAM = "curator_of_a_closed_team"
    NOT_HELD_BY_OTHERS = "not_held_by_others"
    DRAWN = "drawn_for_a_spot_check"
    NOT_MAKER = "not_a_maker"
    OVERSEER = "overseer"
    NO_VERDICT_YET = "no_verdict_yet"
    DECIDES = "decides_now"


_PACKAGE = Relation.AS_ITS_PACKAGE_SAYS

# Moves of items of every track that follow their picture: it was withdrawn, or restored. A written item then
# has to be checked again.
WITH_PICTURE: Table = {
    "exclude": move("todo made skipped returned accepted", "excluded", "image_take_down", SYSTEM),
    "readmit": move("excluded", "todo", "image_restore", SYSTEM),
    "readmit_written": move("excluded", "returned", "image_restore", SYSTEM),
}
# The moves that every track's table includes. An accepted item that was found wrong is excluded for good.
EVERY_TRACK: Table = {**WITH_PICTURE, "exclude_accepted": move("accepted", "excluded", "item_exclude")}

TABLE: Table = {
    "submit": move("todo made skipped returned", "made", "item_submit", _PACKAGE),
    "skip": move("todo returned", "skipped", "item_skip", _PACKAGE),
    "correct": move("made", "made", "item_review", _PACKAGE),
    "return": move("made", "returned", "package_review_complete", SYSTEM),
    # The reviewer agrees that the item was rightly skipped, or insists that it is written.
    "set_aside": move("skipped", "excluded", "item_skip_decide", _PACKAGE),
    "insist": move("skipped", "returned", "item_skip_decide", _PACKAGE),
    "fail": move("made", "returned", "package_inspection_complete", SYSTEM),
    "accept": move("made", "accepted", "package_inspection_complete", SYSTEM),
    **EVERY_TRACK,
}
