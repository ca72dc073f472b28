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
