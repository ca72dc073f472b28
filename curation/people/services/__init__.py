"""What happens to accounts, roles and consents; one module for each."""

from curation.people.services.accounts import create_owner, create_person, grant_roles, set_language
from curation.people.services.consents import give_consent, withdraw_consent

__all__ = [
    "create_owner",
    "create_person",
    "give_consent",
    "grant_roles",
    "set_language",
    "withdraw_consent",
]
