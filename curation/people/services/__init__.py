"""Writes to accounts, roles, teams, links, consents, notices and tokens; one module for each subject."""

from curation.people.services.accounts import account_of, create_account, create_owner, update_own_account
from curation.people.services.consents import give_consent, withdraw_consent
from curation.people.services.invitations import accept_invitation, create_invitation, revoke_invitation
from curation.people.services.links import revoke_unusable_links
from curation.people.services.notices import dismiss_notices, notify, read_notices
from curation.people.services.passwords import change_password, create_password_link, set_password
from curation.people.services.roles import close_account, end_grants, end_role, grant_role, grant_roles, open_account
from curation.people.services.teams import close_team, create_team, update_team
from curation.people.services.tokens import create_token, revoke_token

__all__ = [
    "accept_invitation",
    "account_of",
    "change_password",
    "close_account",
    "close_team",
    "create_account",
    "create_invitation",
    "create_owner",
    "create_password_link",
    "create_team",
    "create_token",
    "dismiss_notices",
    "end_grants",
    "end_role",
    "give_consent",
    "grant_role",
    "grant_roles",
    "notify",
    "open_account",
    "read_notices",
    "revoke_invitation",
    "revoke_token",
    "revoke_unusable_links",
    "set_password",
    "update_own_account",
    "update_team",
    "withdraw_consent",
]
