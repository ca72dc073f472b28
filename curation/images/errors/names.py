"""Errors about the names of uploaded files."""

from curation.core.errors import DomainError


class FilenameUnreadable(DomainError):
    """The name is not UTF-8, or contains half a surrogate pair."""

    status = 422
    detail = "The file's name is not readable text."


class FilenameControlCharacter(DomainError):
    """The name contains NUL or another control character."""

    status = 422
    detail = "The file's name contains a control character."


class FilenameDirectionControl(DomainError):
    """The name contains a bidirectional control character, so that it can be displayed differently than it is."""

    status = 422
    detail = "The file's name contains a character that changes the direction of reading."


class FilenamePath(DomainError):
    """The name contains a slash or backslash, or is empty."""

    status = 422
    detail = "The file's name is a path."


class FilenameTooLong(DomainError):
    """The name has too many characters."""

    status = 422
    detail = "The file's name has more than {maximum} characters."


class FilenameDoubleExtension(DomainError):
    """The name has several extensions, one of them a program's: ``photo.php.jpg``."""

    status = 422
    detail = "The file's name has several extensions, one of which is a program's: {filename}."


class FilenameNotPicture(DomainError):
    """The name has the extension of neither a picture nor a ZIP archive."""

    status = 422
    detail = "The file's name does not have a picture's extension: {filename}."
