"""What happens to accounts, roles, teams, invitations, consents, notices and tokens; one module for each."""

from curation.people.services.accounts import change_oneself, create_owner, make_person
from curation.people.services.consents import give_consent, withdraw_consent
from curation.people.services.invitations import (
    accept_invitation,
    create_invitation,
    make_password_link,
    revoke_invitation,
    set_password,
)
from curation.people.services.notices import notify, read_notices, settle_notices
from curation.people.services.roles import close_account, end_role, grant_role, grant_roles, open_account
from curation.people.services.teams import close_team, create_team, update_team
from curation.people.services.tokens import create_token, revoke_token

__all__ = [
    "accept_invitation",
    "change_oneself",
    "close_account",
    "close_team",
    "create_invitation",
    "create_owner",
    "create_team",
    "create_token",
    "end_role",
    "give_consent",
    "grant_role",
    "grant_roles",
    "make_password_link",
    "make_person",
    "notify",
    "open_account",
    "read_notices",
    "revoke_invitation",
    "revoke_token",
    "set_password",
    "settle_notices",
    "update_team",
    "withdraw_consent",
]
