"""Refusals about releases."""

from curation.core.errors import DomainError


class GatesFailed(DomainError):
    """Something does not hold that the protocol asks of a release; ``params.gates`` names each."""

    status = 409
    detail = "{count} thing(s) keep this release from being frozen."


class ReleaseBusy(DomainError):
    """A worker is freezing the release: whatever would change it has to wait for the end."""

    status = 409
    detail = "{label} is being frozen at this moment."


class ReleaseNotWritten(DomainError):
    """Files of a release are not there yet; ``params.missing`` names them (none: a worker is still at it)."""

    status = 409
    detail = "Not every file of this release is written yet."


class ReleaseWithdrawn(DomainError):
    """Files, texts and scores of a withdrawn release are not handed out."""

    status = 404
    detail = "{label} was withdrawn; its files and scores are no longer handed out."


class ReleaseKindNotInProtocol(DomainError):
    """The benchmark has no protocol, or its protocol does not use the kind."""

    status = 400
    detail = "The benchmark's protocol has no kind {kind}."


class ReleaseFileGone(DomainError):
    """A file that was written is no longer in the store: a matter for whoever runs the server."""

    status = 404
    detail = "{name} was written but is no longer in the store."


class ReleaseFileDiffers(DomainError):
    """Writing a file again gave other bytes than the first time."""

    status = 409
    detail = "{name} came out with sha256 {now}, it was published with {published}."


class ReleasePictureDamaged(DomainError):
    """A picture's file is missing or is not the file that was accepted."""

    status = 409
    detail = "The file of {label} is missing or was changed in the store."


class ReleaseContentDiffers(DomainError):
    """The frozen records do not add up to the release's digest."""

    status = 409
    detail = "The records of this release have the digest {now}, it was frozen with {frozen}."


class DiskFull(DomainError):
    """There is no room for a release's files; both numbers are bytes. Written files stay, the rest follows later."""

    status = 507
    detail = "{free} bytes are free where releases are kept, about {needed} are needed."
