"""Errors of dialogues."""

from curation.core.errors import DomainError


class NotYourTurn(DomainError):
    """The next text of the dialogue is the partner's."""

    status = 409
    detail = "It is your partner's turn."


class StaleTurn(DomainError):
    """The dialogue continued since the client read it."""

    status = 409
    detail = "The next turn is number {position}."


class PausedTooOften(DomainError):
    """The person has paused the dialogue as often as the protocol allows; they can continue or leave it."""

    status = 409
    detail = "You have paused this dialogue {count} times; more is not possible."


class InAnotherDialogue(DomainError):
    """A person takes part in one open dialogue at a time."""

    status = 409
    detail = "You or your partner are in another dialogue at the moment."


class SeesEveryPicture(DomainError):
    """Who can open every picture or item of the benchmark cannot ask about pictures that they have not seen."""

    status = 409
    detail = "You can open every picture here, so you can answer but not ask."
