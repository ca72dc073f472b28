"""Errors about uploads: the tus protocol, their states, how many there may be."""

from curation.core.errors import DomainError


class UploadTooLarge(DomainError):
    """More bytes are announced than the server accepts; none is read."""

    status = 413
    detail = "{bytes} bytes are announced; at most {maximum} are accepted."


class UploadOffsetWrong(DomainError):
    """The part does not begin where the file on the server ends."""

    status = 409
    detail = "The part begins at {given}; the server has {offset} bytes."


class UploadTakenOver(DomainError):
    """Another request began to send to the same upload; this one's bytes are discarded."""

    status = 409
    detail = "Another request is sending to this upload."


class UploadChecksumWrong(DomainError):
    """The part was damaged in transit and none of it was kept; tus defines status 460 for this."""

    status = 460
    detail = "The part's {algorithm} checksum differs: it was damaged in transit."


class UploadChecksumUnknown(DomainError):
    """The checksum's algorithm is not supported, or its value is malformed."""

    status = 400
    detail = "Supported are {algorithms}, encoded in base64."


class UploadIncomplete(DomainError):
    """The connection ended before the part did; what arrived is kept unless a checksum covers the part."""

    status = 400
    detail = "The part ended after {received} of {announced} bytes."


class UploadClosed(DomainError):
    """The upload's state allows neither more bytes nor a deletion."""

    status = 409
    detail = "The upload is {state} and accepts no more bytes."


class UploadGone(DomainError):
    """The upload was dropped, or expired."""

    status = 410
    detail = "The upload was dropped or has expired."


class UploadDamaged(DomainError):
    """The whole file's SHA-256 differs from the one its sender announced."""

    status = 422
    detail = "The file was damaged in transit: its SHA-256 differs."


class TusVersionWrong(DomainError):
    """The client uses another version of the tus protocol, or none."""

    status = 412
    detail = "This server supports tus {version}."


class TooManyUploads(DomainError):
    """The person has too many unfinished uploads."""

    status = 429
    detail = "{open} of your uploads are unfinished; at most {maximum} may be."


class PersonStorageLimit(DomainError):
    """The person's uploads that are not added yet would have more bytes than one person's may."""

    status = 429
    detail = "Your unfinished uploads have {used} of {limit} bytes; this needs {bytes}."


class BenchmarkStorageLimit(DomainError):
    """The benchmark's pictures and uploads would have more bytes than one benchmark's may."""

    status = 507
    detail = "The benchmark has {used} of {limit} bytes; this needs {bytes}."


class UploadsBusy(DomainError):
    """The server is receiving as many parts as it can, or as many of this person; try again in a moment."""

    status = 429
    detail = "The server is receiving other files; try again in {seconds} s."


class UploadNotReady(DomainError):
    """Only a checked upload can become a picture."""

    status = 409
    detail = "The upload is {state}."
