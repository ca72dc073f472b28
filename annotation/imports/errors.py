"""Why a whole file is rejected; faults of single rows are in the import's report."""

from curation.core.errors import DomainError


class ImportEmpty(DomainError):
    """The file has no bytes."""

    status = 400
    detail = "The file is empty."


class ImportTooLarge(DomainError):
    """The file exceeds ``IMPORT_LIMIT_BYTES``."""

    status = 413
    detail = "The file is larger than {maximum} bytes."


class ImportNotUtf8(DomainError):
    """The file is not UTF-8. Guessing the encoding could change characters unnoticed."""

    status = 400
    detail = "The file is not UTF-8: byte {offset} cannot be read."


class ImportFormatUnknown(DomainError):
    """The format cannot be detected from the file's beginning."""

    status = 400
    detail = "The file is neither Label Studio JSON, COCO captions nor JSON lines."


class ImportKindNotInFormat(DomainError):
    """The format cannot represent the kind."""

    status = 400
    detail = "{format} holds no {kind}."


class ImportDraftsNotInTrack(DomainError):
    """The kind is worked on in a track in which no draft of a file would be found."""

    status = 409
    detail = "Drafts cannot be imported for work in the track {track}."


class ImportRestsOnWork(DomainError):
    """Items of the kind rest on accepted work of the same picture, which a file does not name."""

    status = 409
    detail = "Items of {kind} rest on accepted work, so they are written one at a time."


class ImportUnreadable(DomainError):
    """The file is truncated or not valid JSON; none of its rows was imported."""

    status = 422
    detail = "The file cannot be read at row {row}: {reason}."


class ImportFileGone(DomainError):
    """The uploaded file is no longer on the disk."""

    status = 409
    detail = "The uploaded file is gone; upload it again."
