"""Errors of drafting; those of a reply are why a draft failed."""

from collections.abc import Mapping
from typing import Final

from curation.core.errors import DomainError


class DraftingUnset(DomainError):
    """The benchmark's protocol has no drafting, or its languages are not Chinese and English."""

    detail = "The protocol sets no drafting by a model, or its languages are not Chinese and English."


class DraftingPromptUnfit(DomainError):
    """The benchmark's own version of the prompt has other variables than the concept."""

    detail = "Version {no} of the prompt {prompt} needs other values than topic, or does not use it."


class DraftingFull(DomainError):
    """The person waits for as many drafts as one may."""

    detail = "{open} drafts are under way, at most {maximum} are possible."


class CandidateDecided(DomainError):
    """The candidate was used or discarded."""

    detail = "This candidate was used or discarded already."


class CandidateElsewhere(DomainError):
    """The item is on another picture, or of another kind."""

    detail = "The candidate belongs to another picture than the item."


class DraftOutdated(DomainError):
    """Before the request was sent, the concept was retired, or its author may no longer draft for the picture."""

    detail = "The concept was retired, or its author may no longer draft for the picture; nothing was sent."


class DraftMalformed(DomainError):
    """The reply has another form than requested, or fewer questions."""

    status = 502
    detail = "The model's reply does not have the requested form."


class DraftHalfBilingual(DomainError):
    """A question of the reply is not in both languages."""

    status = 502
    detail = "The model's reply is not in both languages."


class DraftCutOff(DomainError):
    """The reply reached the most tokens that it may have."""

    status = 502
    detail = "The model's reply was cut off."


class DraftRefused(DomainError):
    """The model or a content filter did not answer."""

    status = 502
    detail = "The model did not answer; a content filter may have refused."


#: By what :func:`annotation.drafting.rules.read_reply` says of a reply.
FAULTS: Final[Mapping[str, type[DomainError]]] = {
    "malformed": DraftMalformed,
    "half_bilingual": DraftHalfBilingual,
    "cut_off": DraftCutOff,
}
