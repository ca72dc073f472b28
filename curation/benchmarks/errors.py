"""Errors about benchmarks and protocols."""

from curation.core.errors import DomainError


class PresetUnknown(DomainError):
    """No preset has that name."""

    status = 422
    detail = "There is no preset {preset}; there are {known}."


class SlugTaken(DomainError):
    """Another benchmark has that short name."""

    status = 409
    detail = "A benchmark called {slug} exists already."


class StaleProtocol(DomainError):
    """Another version was adopted since this one was written."""

    status = 409
    detail = "Version {current} of the protocol is current; compare with it first."


class ProtocolUnchanged(DomainError):
    """The text is that of the current version."""

    status = 409
    detail = "This text is identical to version {current} of the protocol."


class ProtocolLocked(DomainError):
    """Items depend on parts that the new version would change."""

    status = 409
    detail = "There are items, so these cannot change: {paths}."


class RolesGain(DomainError):
    """Roles gain capabilities, and no two administrators whom the site's owner appointed agree on the text."""

    status = 409
    detail = (
        "Roles gain capabilities in this version: {roles}. Propose it: the site's owner can adopt it, or another "
        "administrator if the owner appointed you both."
    )


class ProposalClosed(DomainError):
    """The proposal was withdrawn, rejected, adopted or outdated."""

    status = 409
    detail = "This proposal is {state}."


class CategoriesInUse(DomainError):
    """The new list lacks categories that pictures belong to."""

    status = 409
    detail = "Pictures belong to categories that the new list does not have: {slugs}."


class CategoriesNotFrozen(DomainError):
    """The categories are decided on the board, and no list was frozen yet."""

    status = 409
    detail = "Pictures need a list of categories; the board's is not frozen yet."


class CategoriesOnlyGrow(DomainError):
    """Items exist, and the new version of the list lacks or moves categories."""

    status = 409
    detail = "There are items, so the list can only grow; the new version lacks: {slugs}."


class CategoryListInvalid(DomainError):
    """A list of categories has faults."""

    status = 422
    detail = "The list has {count} faults."


class CategoryListNameTaken(DomainError):
    """A list that ships with the software, or that of the board, has the name."""

    status = 409
    detail = "The name {name} belongs to a list that ships or to the board's."


class CategoryListUnchanged(DomainError):
    """The newest version of the list has the same content."""

    status = 409
    detail = "This list is identical to version {version} of {name}."


class ProtocolNotRewritten(DomainError):
    """The protocol's text has no part ``taxonomy`` that could be replaced."""

    status = 422
    detail = "The protocol's text has no part taxonomy at the beginning of a line; change it by hand."
