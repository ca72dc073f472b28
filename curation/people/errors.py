"""Refusals about accounts and roles."""

from curation.core.errors import DomainError


class UsernameTaken(DomainError):
    """Somebody has that name already."""

    status = 409
    detail = "The user name {username} is taken."


class PasswordTooWeak(DomainError):
    """The password is short or common."""

    status = 422
    detail = "The password is too weak: {reasons}."


class ConsentMissing(DomainError):
    """Contributing needs consent to the benchmark's current text first."""

    status = 403
    detail = "Agree to the consent text of {benchmark} first."


class ConsentTextChanged(DomainError):
    """The text that was read is not, or no longer, the benchmark's."""

    status = 409
    detail = "The consent text changed: read the current one."


class EligibilityMissing(DomainError):
    """Not everything that the protocol asks people to declare about themselves was declared."""

    status = 422
    detail = "Everything that is asked has to be declared; missing: {missing}."


class OwnRoles(DomainError):
    """Nobody changes what they themselves may do."""

    status = 403
    detail = "Your own roles are for somebody else to change."


class OwnAccount(DomainError):
    """Nobody closes the account they are signed in to."""

    status = 403
    detail = "Your own account is for another owner to close."


class RoleUnknown(DomainError):
    """The benchmark's protocol has no such role."""

    status = 422
    detail = "There is no role {role} here; known: {known}."


class TeamsNotInProtocol(DomainError):
    """The benchmark's protocol knows no teams."""

    status = 409
    detail = "This benchmark's protocol has no teams."


class TeamFull(DomainError):
    """The team has as many members as the protocol allows."""

    status = 409
    detail = "The team is full: at most {maximum} people."


class TeamNameTaken(DomainError):
    """Another open team of the benchmark has that name."""

    status = 409
    detail = "There is a team called {name} already."


class NotAMember(DomainError):
    """Only a member leads a team."""

    status = 422
    detail = "A team is led by one of its members."


class InvitationUnknown(DomainError):
    """No link has these bits, or it is for something else."""

    status = 404
    detail = "There is no such link."


class InvitationUsed(DomainError):
    """A link works once."""

    status = 410
    detail = "This link was used already."


class InvitationExpired(DomainError):
    """The link's days are over."""

    status = 410
    detail = "This link expired."


class InvitationRevoked(DomainError):
    """The link was taken back, or whoever made it may not make it any more."""

    status = 410
    detail = "This link was taken back."


class BeyondYourBenchmarks(DomainError):
    """The account opens more than the benchmarks one administers."""

    status = 403
    detail = "This account takes part in more than the benchmarks you administer; ask the site's owner."


class TokenOperationsRefused(DomainError):
    """A token may not hold these operations."""

    status = 422
    detail = "A token of yours cannot hold {operations}."
