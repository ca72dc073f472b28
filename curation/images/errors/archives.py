"""Errors about uploaded ZIP archives and their entries."""

from curation.core.errors import DomainError


class ArchiveUndecodable(DomainError):
    """The archive's list of files cannot be read."""

    status = 422
    detail = "The file is not a ZIP archive, or it is damaged."


class ArchiveEmpty(DomainError):
    """The archive contains no file."""

    status = 422
    detail = "The ZIP archive contains no file."


class ArchiveDirectoryTooLarge(DomainError):
    """The archive's list of files is longer than is read into memory."""

    status = 422
    detail = "The archive's list of files has {bytes} bytes; at most {maximum} are read."


class ArchiveTooManyFiles(DomainError):
    """The archive contains more files than allowed."""

    status = 422
    detail = "The ZIP archive contains {files} files; at most {maximum} are accepted."


class ArchiveTooLarge(DomainError):
    """The unpacked archive would have too many bytes."""

    status = 422
    detail = "Unpacked the ZIP archive has {bytes} bytes; at most {maximum} are accepted."


class ArchiveEntryAbsolute(DomainError):
    """An entry's name is an absolute path."""

    status = 422
    detail = "{entry} in the ZIP archive has an absolute path."


class ArchiveEntryOutside(DomainError):
    """An entry's path contains ``..``."""

    status = 422
    detail = "{entry} in the ZIP archive has a path outside of it."


class ArchiveEntryLink(DomainError):
    """An entry is a symbolic link or a device."""

    status = 422
    detail = "{entry} in the ZIP archive is a link or a device, not a file."


class ArchiveEntryEncrypted(DomainError):
    """An entry needs a password."""

    status = 422
    detail = "{entry} in the ZIP archive is encrypted."


class ArchiveEntryNested(DomainError):
    """An entry is an archive itself; those are not unpacked."""

    status = 422
    detail = "{entry} is a ZIP archive inside a ZIP archive."


class ArchiveEntryBomb(DomainError):
    """An entry is compressed beyond what pictures allow, or is larger than announced."""

    status = 422
    detail = "{entry} in the ZIP archive unpacks to far more than its size."


class ArchiveEntryDamaged(DomainError):
    """An entry cannot be unpacked."""

    status = 422
    detail = "{entry} in the ZIP archive is damaged."
