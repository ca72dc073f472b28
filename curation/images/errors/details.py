"""Errors about the details that contributors give: source, site, licence, category, values of dimensions."""

from curation.core.errors import DomainError


class LicenceNotAllowed(DomainError):
    """The protocol does not list the licence."""

    status = 422
    detail = "The licence {licence} is not in the protocol; listed are {allowed}."


class CategoryUnknown(DomainError):
    """The benchmark has no such category."""

    status = 422
    detail = "There is no category {category} in this benchmark."


class AxisValueUnknown(DomainError):
    """The benchmark has no such dimension, or its list no such value."""

    status = 422
    detail = "There is no value {value} of the dimension {axis} in this benchmark."


class SourceNotAllowed(DomainError):
    """The protocol does not accept pictures from this source."""

    status = 422
    detail = "Pictures from {source} are not accepted; the protocol accepts {allowed}."


class SiteUnknown(DomainError):
    """The protocol has no such site."""

    status = 422
    detail = "The protocol has no site {site}; it has {sites}."


class SiteNotAllowed(DomainError):
    """The address belongs to none of the protocol's sites."""

    status = 422
    detail = "Pictures from {host} are not accepted; the protocol's sites are {sites}."


class SiteAddressElsewhere(DomainError):
    """The address belongs to another site than the one given."""

    status = 422
    detail = "The address is on {host}, but the site {site} is on {hosts}."


class SiteLicenceNotAllowed(DomainError):
    """The protocol does not allow the licence for pictures from this site."""

    status = 422
    detail = "From {site} pictures are accepted under {allowed}, not {licence}."


class NotYourTeam(DomainError):
    """The contributor holds no role in the team that they name for a picture."""

    status = 422
    detail = "You are not a member of team {team}."


class DetailsMissing(DomainError):
    """Required details of the picture are missing."""

    status = 422
    detail = "Still missing: {fields}."
