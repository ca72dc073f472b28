"""Errors of writing items."""

from curation.core.errors import DomainError


class StaleRevision(DomainError):
    """There is a newer revision; the answer contains ``mine``, ``theirs`` and ``base``."""

    status = 409
    detail = "Revision {base_no} is no longer current: {revision_no} is."


class PictureChanged(DomainError):
    """Something in the picture was covered since the page was loaded, or nobody has looked at the new version yet."""

    status = 409
    detail = "The picture was changed."


class ContentRefused(DomainError):
    """The content has findings that block it; ``params.findings`` lists all findings."""

    status = 422
    detail = "The content breaks {count} rule(s)."


class ContentMalformed(DomainError):
    """The content does not have the shape of its kind."""

    status = 400
    detail = "The content should be {expected}."


class GuidelineNotAcknowledged(DomainError):
    """The kind has guidelines, and the person has not acknowledged the newest ones."""

    status = 409
    detail = "Read and acknowledge version {version} of the guidelines for {kind} first."


class ReasonNeeded(DomainError):
    """Returning an item, judging it wrong or skipping it needs a reason from the list or a comment."""

    status = 422
    detail = "Say why: choose a reason or write a comment."


class ReasonUnknown(DomainError):
    """The protocol does not list this reason."""

    status = 422
    detail = "The protocol has no reason {reason}."


class CopyByAnotherPerson(DomainError):
    """The picture is done twice so that two people's work can be compared, and the person did or judged it once."""

    status = 409
    detail = "The picture is done by two people independently, and this person did or judged it once already."


class KindNotInProtocol(DomainError):
    """The protocol does not use this kind."""

    status = 400
    detail = "The protocol has no kind {kind}."


class TrackNotInProtocol(DomainError):
    """The protocol has no such track."""

    status = 409
    detail = "The protocol has no track {track}."


class NothingChanged(DomainError):
    """A colleague submitted the text as it was; to agree with it, they star it."""

    status = 409
    detail = "Nothing was changed. Star the item if it is right."
