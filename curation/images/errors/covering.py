"""Errors about who has seen pictures, their versions, and covering."""

from curation.core.errors import DomainError


class PicturesInDialogue(DomainError):
    """People who may not see the pictures are asking about them; ``images`` names at most 20 of ``count``."""

    status = 409
    detail = "{count} picture(s) are being asked about by people who may not see them yet: {images}."


class StaleRedaction(DomainError):
    """Something in the picture was covered since the page was loaded."""

    status = 409
    detail = "Version {no} of the picture was named; it is at version {redaction_no}."


class ProposalsOpen(DomainError):
    """Regions that were found in the picture have not been decided on yet."""

    status = 409
    detail = "{count} region(s) that were found in the picture are not decided yet."


class RegionsMalformed(DomainError):
    """The regions are not what can be covered: outside the picture, without a reason, or two with one key."""

    status = 422
    detail = "Region {key}: {fault}."


class SharingNotAllowed(DomainError):
    """The protocol does not let contributors tick their own pictures."""

    status = 409
    detail = "The protocol does not let contributors tick their own pictures."


class PictureTooCostly(DomainError):
    """The picture's new files could not be made within the limits on time and memory."""

    status = 409
    detail = "The new files of the picture could not be made."
