"""Refusals about packages."""

from curation.core.errors import DomainError


class NoPackageLeft(DomainError):
    """Nothing to claim; says how many are in other hands."""

    code = "no_package_left"
    status = 409
    detail = "No package is free: {working} are being written, {in_review} are being checked."


class ReturnedPackageWaits(DomainError):
    """Something came back to this person; it is mended before anything new is claimed."""

    code = "returned_package_waits"
    status = 409
    detail = "Package {package} came back to you and waits to be corrected."


class AnotherPackageOpen(DomainError):
    """One package at a time."""

    code = "another_package_open"
    status = 409
    detail = "Package {package} is open; hand it over first."


class NotAllChecked(DomainError):
    """Hand-over needs every item written and ticked; ``params.missing`` names those that are not."""

    code = "not_all_checked"
    status = 409
    detail = "{count} item(s) are not written or not ticked."


class NothingToPack(DomainError):
    """No accepted picture without an item, and no item outside a package."""

    code = "nothing_to_pack"
    status = 409
    detail = "There is no accepted picture, cleared of personal information, that is not in a package yet."


class KindNotInProtocol(DomainError):
    """The protocol does not use this kind."""

    code = "kind_not_in_protocol"
    status = 400
    detail = "The protocol has no kind {kind}."


class TrackNotInProtocol(DomainError):
    """The protocol does not vouch for work in packages."""

    code = "track_not_in_protocol"
    status = 409
    detail = "The protocol has no track {track}."


class RowsRefused(DomainError):
    """Rows of an import have faults; ``params.rows`` names the first hundred, and nothing was made."""

    code = "rows_refused"
    status = 422
    detail = "{count} row(s) cannot be taken in; nothing was made."


class CannotAnnotate(DomainError):
    """Somebody to whom a package was to be given may not write its kind here, or did not agree to the terms."""

    code = "cannot_annotate"
    status = 409
    detail = "{person} may not write {kind} here."
