"""Refusals of whole files; what is wrong with single rows stands in their report."""

from curation.core.errors import DomainError


class ImportEmpty(DomainError):
    """A file without a byte of text."""

    status = 400
    detail = "The file is empty."


class ImportTooLarge(DomainError):
    """More bytes than an import may have."""

    status = 413
    detail = "The file is larger than {maximum} bytes."


class ImportNotUtf8(DomainError):
    """Another encoding than UTF-8; guessing which would turn characters into others unseen."""

    status = 400
    detail = "The file is not UTF-8: byte {offset} cannot be read."


class ImportFormatUnknown(DomainError):
    """The file's beginning is of none of the formats."""

    status = 400
    detail = "The file is neither Label Studio JSON, COCO captions nor JSON lines."


class ImportKindNotInFormat(DomainError):
    """The format cannot hold work of the kind."""

    status = 400
    detail = "{format} holds no {kind}."


class ImportUnreadable(DomainError):
    """The file breaks off or is not JSON somewhere; nothing of it was taken."""

    status = 422
    detail = "The file cannot be read at row {row}: {reason}."


class ImportFileGone(DomainError):
    """The uploaded file is no longer on the disk."""

    status = 409
    detail = "The uploaded file is gone; upload it again."
