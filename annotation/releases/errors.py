"""Errors about releases."""

from curation.core.errors import DomainError


class GatesFailed(DomainError):
    """Gates of the protocol fail; ``params.gates`` lists the failures."""

    status = 409
    detail = "This release cannot be frozen: {count} check(s) fail."


class ReleaseBusy(DomainError):
    """A worker is checking or freezing the release, which cannot be changed until that has ended."""

    status = 409
    detail = "{label} is being checked or frozen."


class ReleaseNotWritten(DomainError):
    """Files are not written yet; ``params.missing`` names them. It is empty while the job is about to end."""

    status = 409
    detail = "Not all files of this release are written yet."


class ReleaseWithdrawn(DomainError):
    """Files, texts and scores of a withdrawn release are not available."""

    status = 404
    detail = "{label} was withdrawn; its files and scores are no longer available."


class ReleaseKindNotInProtocol(DomainError):
    """The benchmark has no protocol, or its protocol does not use the kind."""

    status = 400
    detail = "The benchmark's protocol has no kind {kind}."


class ReleaseFileGone(DomainError):
    """A written file is no longer in the store; the server's administrator has to restore it."""

    status = 404
    detail = "{name} was written, but is no longer in the store."


class ReleaseFileCovered(DomainError):
    """Something in a picture of the release was covered since; files with pictures inside were destroyed."""

    status = 410
    detail = "Pictures of {label} were covered since; its files with pictures no longer exist. Make a new release."


class ArchiveBusy(DomainError):
    """This process sends as many archives as it may; the client tries again."""

    status = 503
    detail = "The server is sending other archives; try again in a minute."


class ReleaseFileDiffers(DomainError):
    """A file that was written again has other bytes than the published one."""

    status = 409
    detail = "{name} now has the sha256 {now}; it was published with {published}."


class ReleasePictureDamaged(DomainError):
    """A picture's file is missing or is not the file that was accepted."""

    status = 409
    detail = "The file of {label} is missing or was changed in the store."


class ReleaseContentDiffers(DomainError):
    """The frozen records no longer have the release's digest."""

    status = 409
    detail = "The records of this release have the digest {now}; it was frozen with {frozen}."


class ReportedUnknown(DomainError):
    """Nothing that is published has these labels; whether it exists unpublished is not revealed."""

    status = 404
    detail = "No published release has this."


class ErratumNoteMissing(DomainError):
    """A decision about an erratum needs a note, for readers or for the reporter, in at least one language."""

    status = 400
    detail = "Write a note."


class TooManyErrata(DomainError):
    """The person reported as many errata as may wait for a decision at once."""

    status = 409
    detail = "{maximum} of your reports are waiting for a decision already."
