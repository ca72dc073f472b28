"""Errors about accounts, roles, teams, links, consent and tokens."""

from curation.core.errors import DomainError


class UsernameTaken(DomainError):
    """Another account has that user name."""

    status = 409
    detail = "The user name {username} is taken."


class PasswordTooWeak(DomainError):
    """The password is short or common."""

    status = 422
    detail = "The password is too weak: {reasons}."


class PasswordWrong(DomainError):
    """The current password is wrong."""

    status = 422
    detail = "The current password is wrong."


class ConsentMissing(DomainError):
    """Contributing requires consent to the benchmark's current text."""

    status = 403
    detail = "Agree to the consent text of {benchmark} first."


class ConsentTextChanged(DomainError):
    """The text that the person read is not the benchmark's current one."""

    status = 409
    detail = "The consent text has changed; read the current one."


class EligibilityMissing(DomainError):
    """A declaration that the protocol requires is missing, or one is not in the protocol."""

    status = 422
    detail = "The declarations differ from those that the benchmark requires: {missing}."


class OwnRoles(DomainError):
    """People cannot change their own roles."""

    status = 403
    detail = "You cannot change your own roles."


class OwnAccount(DomainError):
    """People cannot close the account they are signed in to."""

    status = 403
    detail = "You cannot close your own account; another owner can."


class RoleUnknown(DomainError):
    """The benchmark's protocol has no such role."""

    status = 422
    detail = "There is no role {role} here; known: {known}."


class TeamsNotInProtocol(DomainError):
    """The benchmark's protocol has no teams."""

    status = 409
    detail = "This benchmark's protocol has no teams."


class TeamFull(DomainError):
    """The team has as many members as the protocol allows."""

    status = 409
    detail = "The team is full: at most {maximum} people."


class TeamNameTaken(DomainError):
    """Another open team of the benchmark has that name."""

    status = 409
    detail = "There is already a team called {name}."


class PairTaken(DomainError):
    """Another open team of the benchmark is for that pair of country and language."""

    status = 409
    detail = "There is already a team for the pair {pair}."


class PairUnknown(DomainError):
    """The protocol's list has no such pair of country and language, or the protocol names no list."""

    status = 422
    detail = "The protocol has no pair {pair}."


class PairMissing(DomainError):
    """The protocol lists pairs of country and language, so every team is for one of them."""

    status = 422
    detail = "Every team of this benchmark is for a pair of country and language; name one."


class NotAMember(DomainError):
    """Only a member can lead a team."""

    status = 422
    detail = "Only a member of a team can lead it."


class InvitationUnknown(DomainError):
    """No link has this secret, or the link is for something else."""

    status = 404
    detail = "There is no such link."


class InvitationUsed(DomainError):
    """The link was used; it works only once."""

    status = 410
    detail = "This link was already used."


class InvitationExpired(DomainError):
    """The link has expired."""

    status = 410
    detail = "This link has expired."


class InvitationRevoked(DomainError):
    """The link was revoked, or its creator no longer has the right to create it."""

    status = 410
    detail = "This link was revoked."


class BeyondYourBenchmarks(DomainError):
    """The account has roles in benchmarks that the actor does not administer."""

    status = 403
    detail = "This account takes part in more than the benchmarks you administer; ask the site's owner."


class AdministratorsPassword(DomainError):
    """The person administers a benchmark, so only the site's owner creates links for their password."""

    status = 403
    detail = "This person administers a benchmark; ask the site's owner for the link."


class TokenOperationsRefused(DomainError):
    """A token cannot allow these operations."""

    status = 422
    detail = "Your token cannot allow {operations}."
