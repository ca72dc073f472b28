"""Refusals about pictures; each says what would have been taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.core.errors import DomainError


class ImageDuplicate(DomainError):
    """This very file is in the benchmark already."""

    status = 409
    detail = "The same file is {twin} already."


class ImageTypeRefused(DomainError):
    """The bytes are of no type that the protocol takes, whatever the file is called."""

    status = 415
    detail = "The file is {found}; taken are {allowed}."


class ImageUndecodable(DomainError):
    """The file begins like a picture and cannot be read as one."""

    status = 422
    detail = "The picture is damaged or incomplete."


class ImageAnimated(DomainError):
    """More than one frame."""

    status = 422
    detail = "The picture has {frames} frames; only still pictures are taken."


class ImageTooSmall(DomainError):
    """The shorter side does not reach the protocol's minimum."""

    status = 422
    detail = "The picture is {width} x {height}; its shorter side has to reach {minimum} pixels."


class ImageSideTooLong(DomainError):
    """The longer side is above the protocol's maximum."""

    status = 422
    detail = "The picture is {width} x {height}; its longer side may have {maximum} pixels."


class ImageAspect(DomainError):
    """Too long for its breadth: a panorama or a strip."""

    status = 422
    detail = "The picture is {width} x {height}; its longer side may be {maximum_percent} % of the shorter one."


class ImageTooLarge(DomainError):
    """More bytes than the protocol or the server takes."""

    status = 413
    detail = "The file has {bytes} bytes; at most {maximum} are taken."


class ImageTooFewBytes(DomainError):
    """Fewer bytes than the protocol takes: what is left of a thumbnail."""

    status = 422
    detail = "The file has {bytes} bytes; at least {minimum} are taken."


class ImageBomb(DomainError):
    """So many pixels that decoding them is refused before it begins."""

    status = 422
    detail = "The picture claims {width} x {height} pixels; at most {maximum} in all are decoded."


class LicenceNotAllowed(DomainError):
    """The protocol does not list the licence."""

    status = 422
    detail = "The licence {licence} is not in the protocol; listed are {allowed}."


class CategoryUnknown(DomainError):
    """The benchmark has no such category."""

    status = 422
    detail = "There is no category {category} in this benchmark."


class ReasonsRefused(DomainError):
    """A refusal needs reasons from the protocol's list, an acceptance has none."""

    status = 422
    detail = "These reasons do not fit the decision: {reasons}; listed are {allowed}."


class FileIsWebPage(DomainError):
    """HTML, with or without a picture's name."""

    status = 415
    detail = "The file is a web page, whatever it is called; taken are {allowed}."


class FileIsSvg(DomainError):
    """A drawing that a browser would run."""

    status = 415
    detail = "The file is an SVG drawing, which can hold scripts; taken are {allowed}."


class FileIsTwoThings(DomainError):
    """A picture that some program would take for an archive, a document or a web page."""

    status = 415
    detail = "The file is a {found} picture and {also} at the same time."


class FilenameUnreadable(DomainError):
    """Not UTF-8, or half a character."""

    status = 422
    detail = "The file's name is not readable text."


class FilenameControlCharacter(DomainError):
    """NUL or another character that nobody sees."""

    status = 422
    detail = "The file's name holds a control character."


class FilenameDirectionControl(DomainError):
    """A name that reads otherwise than it is."""

    status = 422
    detail = "The file's name holds a character that turns the direction of reading."


class FilenamePath(DomainError):
    """A name with slashes, or none at all."""

    status = 422
    detail = "The file's name leads to another folder."


class FilenameTooLong(DomainError):
    """Too long to show."""

    status = 422
    detail = "The file's name has more than {maximum} characters."


class FilenameDoubleExtension(DomainError):
    """``photo.php.jpg``."""

    status = 422
    detail = "The file's name has two endings, one of which is a program's: {filename}."


class FilenameNotPicture(DomainError):
    """An ending that says something else."""

    status = 422
    detail = "The file's name does not end like a picture's: {filename}."


class ArchiveUndecodable(DomainError):
    """The list of an archive cannot be read."""

    status = 422
    detail = "The ZIP archive is damaged or none."


class ArchiveEmpty(DomainError):
    """Nothing inside."""

    status = 422
    detail = "The ZIP archive holds no file."


class ArchiveTooManyFiles(DomainError):
    """More files than one archive may hold."""

    status = 422
    detail = "The ZIP archive holds {files} files; at most {maximum} are taken."


class ArchiveTooLarge(DomainError):
    """A bomb, or too much at once."""

    status = 422
    detail = "Unpacked the ZIP archive has {bytes} bytes; at most {maximum} are taken."


class ArchiveEntryAbsolute(DomainError):
    """An absolute path."""

    status = 422
    detail = "{entry} in the ZIP archive names a place on the disk."


class ArchiveEntryOutside(DomainError):
    """``..`` in the path."""

    status = 422
    detail = "{entry} in the ZIP archive leads out of it."


class ArchiveEntryLink(DomainError):
    """A symbolic link or something else that is no file."""

    status = 422
    detail = "{entry} in the ZIP archive is a link or a device, not a file."


class ArchiveEntryEncrypted(DomainError):
    """Needs a password."""

    status = 422
    detail = "{entry} in the ZIP archive is encrypted."


class ArchiveEntryNested(DomainError):
    """Archives in archives are not unpacked."""

    status = 422
    detail = "{entry} is a ZIP archive inside a ZIP archive."


class ArchiveEntryBomb(DomainError):
    """Shrinks too well, or holds more than announced."""

    status = 422
    detail = "{entry} in the ZIP archive unpacks to far more than it is."


class ArchiveEntryDamaged(DomainError):
    """Cannot be unpacked."""

    status = 422
    detail = "{entry} in the ZIP archive is damaged."


class SourceNotAllowed(DomainError):
    """The protocol does not take pictures from there."""

    status = 422
    detail = "Pictures from {source} are not taken; the protocol takes {allowed}."


class SiteUnknown(DomainError):
    """No such site in the protocol."""

    status = 422
    detail = "The protocol has no site {site}; it has {sites}."


class SiteNotAllowed(DomainError):
    """The address lies on none of the protocol's sites."""

    status = 422
    detail = "Pictures from {host} are not taken; the protocol's sites are {sites}."


class SiteAddressElsewhere(DomainError):
    """Address and site do not fit."""

    status = 422
    detail = "The address lies on {host}, the site {site} on {hosts}."


class SiteLicenceNotAllowed(DomainError):
    """The site's licence rule says otherwise."""

    status = 422
    detail = "From {site} pictures are taken under {allowed}, not {licence}."


class UploadTooLarge(DomainError):
    """More bytes announced than the server takes, known before any is read."""

    status = 413
    detail = "{bytes} bytes are announced; at most {maximum} are taken."


class UploadOffsetWrong(DomainError):
    """The part does not begin where the file on the server ends."""

    status = 409
    detail = "The part begins at {given}; the server has {offset} bytes."


class UploadTakenOver(DomainError):
    """Another request began to send to the same upload; this one's bytes are thrown away."""

    status = 409
    detail = "Another request sends to this upload now."


class UploadChecksumWrong(DomainError):
    """The part was damaged on its way; none of it was kept. 460 is the status that tus gives it."""

    status = 460
    detail = "The part's {algorithm} checksum differs: it was damaged on its way."


class UploadChecksumUnknown(DomainError):
    """A checksum of a kind that is not offered, or one that is none."""

    status = 400
    detail = "Offered are {algorithms}, given in base64."


class UploadIncomplete(DomainError):
    """The connection ended before the part did; what came is kept where no checksum covers it."""

    status = 400
    detail = "The part ended after {received} of {announced} bytes."


class UploadClosed(DomainError):
    """Bytes or a deletion for an upload that is past that."""

    status = 409
    detail = "The upload is {state} and takes no more bytes."


class UploadGone(DomainError):
    """It was dropped, or nobody came back to it in time."""

    status = 410
    detail = "The upload was dropped or has expired."


class UploadDamaged(DomainError):
    """The whole file differs from what its sender announced."""

    status = 422
    detail = "The file arrived otherwise than it was sent: its SHA-256 differs."


class TusVersionWrong(DomainError):
    """The client speaks another version of the tus protocol, or none."""

    status = 412
    detail = "This server speaks tus {version}."


class TooManyUploads(DomainError):
    """So many uploads of one person wait that they should first be finished."""

    status = 429
    detail = "{open} uploads of yours wait; at most {maximum} may."


class UploadsBusy(DomainError):
    """As many parts are being received as the server has room for; the client asks again in a moment."""

    status = 429
    detail = "The server receives other files just now; try again in {seconds} s."


class StorageFull(DomainError):
    """The disk has no room left."""

    status = 507
    detail = "The server has no room for more files."


class UploadNotReady(DomainError):
    """Only what was checked can be taken."""

    status = 409
    detail = "The upload is {state}."


class DetailsMissing(DomainError):
    """Something has still to be said about the picture."""

    status = 422
    detail = "Still missing: {fields}."


class JudgedMeanwhile(DomainError):
    """Somebody decided on the picture since it was shown."""

    status = 409
    detail = "{by} decided {outcome} meanwhile."


class HeldByAnother(DomainError):
    """The picture lies before another curator."""

    status = 409
    detail = "{by} has the picture until {until}."


class SubsetUnknown(DomainError):
    """The protocol has no such subset."""

    status = 422
    detail = "There is no subset {subset}; the protocol has {subsets}."


class SubsetCounts(DomainError):
    """The counts of objects do not meet the subset's rule."""

    status = 422
    detail = "The counts do not meet the rule of subset {subset}: {faults}."


# The names under which the pure rules refuse a file (``rules.Unfit``), and the refusal that each becomes.
UNFIT: Final[Mapping[str, type[DomainError]]] = {
    error.code: error
    for error in (
        ImageTypeRefused,
        ImageUndecodable,
        ImageAnimated,
        ImageTooSmall,
        ImageSideTooLong,
        ImageAspect,
        ImageTooLarge,
        ImageTooFewBytes,
        ImageBomb,
        FileIsWebPage,
        FileIsSvg,
        FileIsTwoThings,
        FilenameUnreadable,
        FilenameControlCharacter,
        FilenameDirectionControl,
        FilenamePath,
        FilenameTooLong,
        FilenameDoubleExtension,
        FilenameNotPicture,
        ArchiveUndecodable,
        ArchiveEmpty,
        ArchiveTooManyFiles,
        ArchiveTooLarge,
        ArchiveEntryAbsolute,
        ArchiveEntryOutside,
        ArchiveEntryLink,
        ArchiveEntryEncrypted,
        ArchiveEntryNested,
        ArchiveEntryBomb,
        ArchiveEntryDamaged,
    )
}

# The same for what is said about a picture (``rules.Refused``).
DETAILS: Final[Mapping[str, type[DomainError]]] = {
    error.code: error
    for error in (
        LicenceNotAllowed,
        CategoryUnknown,
        SourceNotAllowed,
        SiteUnknown,
        SiteNotAllowed,
        SiteAddressElsewhere,
        SiteLicenceNotAllowed,
    )
}
