"""Errors of packages."""

from curation.core.errors import DomainError


class NoPackageLeft(DomainError):
    """There is no package to claim; the message counts those in progress."""

    status = 409
    detail = "No package is free: {working} are being written, {in_review} are being checked."


class DoubleOfAssignee(DomainError):
    """The package has an item of which the assignee did, judged or holds the other copy."""

    status = 409
    detail = "Two people do pictures of this package independently, and the assignee has the other copy of one."


class OnlyOwnDoublesLeft(DomainError):
    """Each free package has an item that the person did or judged and that a second person does independently."""

    status = 409
    detail = (
        "Only {packages} package(s) with items that you did or judged already are free; another person has to do them."
    )


class ReturnedPackageWaits(DomainError):
    """A package was returned to the person, who corrects it before they claim a new one."""

    status = 409
    detail = "Package {package} was returned to you; correct it first."


class AnotherPackageOpen(DomainError):
    """The person is writing another package; only one may be open at a time."""

    status = 409
    detail = "Package {package} is open; submit it first."


class NotAllChecked(DomainError):
    """A package is submitted when every item is written and ticked; ``params.missing`` lists those that are not."""

    status = 409
    detail = "{count} item(s) are not written or not ticked."


class NothingToPack(DomainError):
    """Every accepted picture has an item, and every item is in a package."""

    status = 409
    detail = "There is no accepted picture, cleared of personal information, that is not in a package yet."


class KindNotInPackages(DomainError):
    """The protocol names another track for the kind, so its items are not made and batched at once."""

    status = 409
    detail = "{kind} is not worked on in packages but in the track {track}."


class RowsRefused(DomainError):
    """Rows of an import have faults; ``params.rows`` lists the first hundred, and no item was created."""

    status = 422
    detail = "{count} row(s) cannot be imported; nothing was created."


class CannotAnnotate(DomainError):
    """The assignee may not write this kind in this benchmark, or did not agree to the terms."""

    status = 409
    detail = "{person} may not write {kind} here."
