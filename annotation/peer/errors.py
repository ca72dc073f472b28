"""Errors of the peer track."""

from curation.core.errors import DomainError


class PictureFull(DomainError):
    """The picture has as many items of the kind as the protocol allows."""

    status = 409
    detail = "This picture has {maximum} item(s) already."


class NotInSpotCheck(DomainError):
    """No open spot check drew the item's accepted revision: it was never drawn, or was judged already."""

    status = 409
    detail = "This item is not in an open spot check."


class NothingToDraw(DomainError):
    """No item was accepted since the last spot check."""

    status = 409
    detail = "No item was accepted since the last spot check."


class NoSpotChecks(DomainError):
    """The protocol's share of spot checks is 0."""

    status = 409
    detail = "The protocol asks for no spot checks."


class SeatHeld(DomainError):
    """A colleague is checking the item at the moment; until their lease ends, no one else judges or edits it."""

    status = 409
    detail = "A colleague is checking this item until {until}."


class UnderJudgement(DomainError):
    """A judge has given a verdict on the revision; until all are in, its author can neither change nor discard it."""

    status = 409
    detail = "This item is being judged; wait for the result."


class MadeInDialogue(DomainError):
    """Items of the kind come of live dialogues between two people; no one creates one alone."""

    status = 409
    detail = "Items of this kind come of dialogues: wait in the lobby for a partner."
