"""Why a person outside the team cannot take part."""

from curation.core.errors import DomainError


class SignUpClosed(DomainError):
    """The site or the benchmark takes people by invitation only, or not at all."""

    status = 403
    detail = "This benchmark takes part in no open sign-up; ask its administrators for an invitation."


class OutsiderBarred(DomainError):
    """An administrator ended the person's role; only an invitation gives it back."""

    status = 403
    detail = "An administrator ended your access to this benchmark."


class TermsChanged(DomainError):
    """The text that the person read is not the current one, or there is none."""

    status = 409
    detail = "The terms of use have changed; read the current ones."
