"""Refusals about accounts and roles."""

from curation.core.errors import DomainError


class UsernameTaken(DomainError):
    """Somebody has that name already."""

    code = "username_taken"
    status = 409
    detail = "The user name {username} is taken."


class PasswordTooWeak(DomainError):
    """The password is short or common."""

    code = "password_too_weak"
    status = 422
    detail = "The password is too weak: {reasons}."


class ConsentMissing(DomainError):
    """Contributing needs consent to the benchmark's current text first."""

    code = "consent_missing"
    status = 403
    detail = "Agree to the consent text of {benchmark} first."


class ConsentTextChanged(DomainError):
    """The text that was read is not, or no longer, the benchmark's."""

    code = "consent_text_changed"
    status = 409
    detail = "The consent text changed: read the current one."


class EligibilityMissing(DomainError):
    """Not everything that the protocol asks people to declare about themselves was declared."""

    code = "eligibility_missing"
    status = 422
    detail = "Everything that is asked has to be declared; missing: {missing}."
