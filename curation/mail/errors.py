"""Errors about addresses and mail."""

from curation.core.errors import DomainError


class MailNotConfigured(DomainError):
    """The site has no mail server."""

    status = 409
    detail = "This site sends no mail."


class AddressInvalid(DomainError):
    """The text is no e-mail address."""

    status = 422
    detail = "That is no e-mail address."


class TooManyMails(DomainError):
    """The person asked for too many links, or too many were sent to the address."""

    status = 429
    detail = "Too many links were requested; try again tomorrow."


class MailLinkUnknown(DomainError):
    """The link is unknown, was used, replaced or has expired."""

    status = 404
    detail = "This link does not work any more."


class MailStopLinkUnknown(DomainError):
    """The link that ends mails is not complete, or the account has another address by now."""

    status = 404
    detail = "This link does not stop mails: it is incomplete, or the account has another address now."


class AddressTaken(DomainError):
    """Another account has verified this address. Only somebody with a link that was sent to it learns this."""

    status = 409
    detail = "Another account has this address."


class AddressMissing(DomainError):
    """Notifications are mailed to a verified address only."""

    status = 409
    detail = "Confirm an address first."
