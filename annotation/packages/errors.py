"""Refusals about packages."""

from curation.core.errors import DomainError


class NoPackageLeft(DomainError):
    """Nothing to claim; says how many are in other hands."""

    status = 409
    detail = "No package is free: {working} are being written, {in_review} are being checked."


class ReturnedPackageWaits(DomainError):
    """Something came back to this person; it is mended before anything new is claimed."""

    status = 409
    detail = "Package {package} came back to you and waits to be corrected."


class AnotherPackageOpen(DomainError):
    """One package at a time."""

    status = 409
    detail = "Package {package} is open; hand it over first."


class NotAllChecked(DomainError):
    """Hand-over needs every item written and ticked; ``params.missing`` names those that are not."""

    status = 409
    detail = "{count} item(s) are not written or not ticked."


class NothingToPack(DomainError):
    """No accepted picture without an item, and no item outside a package."""

    status = 409
    detail = "There is no accepted picture, cleared of personal information, that is not in a package yet."


class KindNotInProtocol(DomainError):
    """The protocol does not use this kind."""

    status = 400
    detail = "The protocol has no kind {kind}."


class TrackNotInProtocol(DomainError):
    """The protocol does not vouch for work in packages."""

    status = 409
    detail = "The protocol has no track {track}."


class RowsRefused(DomainError):
    """Rows of an import have faults; ``params.rows`` names the first hundred, and nothing was made."""

    status = 422
    detail = "{count} row(s) cannot be taken in; nothing was made."


class CannotAnnotate(DomainError):
    """Somebody to whom a package was to be given may not write its kind here, or did not agree to the terms."""

    status = 409
    detail = "{person} may not write {kind} here."
