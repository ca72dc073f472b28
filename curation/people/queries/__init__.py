"""Reads about people and their decisions; one module for each subject."""

from curation.people.queries.accounts import account_row, demo_log_ins, job_page, session_answer, updated_session
from curation.people.queries.audit import AUDIT_COLUMNS, audit_cells, audit_page
from curation.people.queries.consents import consent_answer, consent_page
from curation.people.queries.links import (
    check_may_set_password,
    created_invitation,
    invitation_page,
    invitation_row,
    join_answer,
    link_answer,
    may_set_password,
    password_answer,
    password_link_answer,
)
from curation.people.queries.notices import notice_page, unread_notices, visible_notices
from curation.people.queries.roles import (
    appointed_by_owner,
    heads_of,
    is_barred,
    member_row,
    people_who_may,
    people_with,
    permission_rows,
    person_detail,
    person_page,
    roles_in,
)
from curation.people.queries.teams import team_row, team_rows
from curation.people.queries.tokens import created_token, token_row, token_rows

__all__ = [
    "AUDIT_COLUMNS",
    "account_row",
    "appointed_by_owner",
    "audit_cells",
    "audit_page",
    "check_may_set_password",
    "consent_answer",
    "consent_page",
    "created_invitation",
    "created_token",
    "demo_log_ins",
    "heads_of",
    "invitation_page",
    "invitation_row",
    "is_barred",
    "job_page",
    "join_answer",
    "link_answer",
    "may_set_password",
    "member_row",
    "notice_page",
    "password_answer",
    "password_link_answer",
    "people_who_may",
    "people_with",
    "permission_rows",
    "person_detail",
    "person_page",
    "roles_in",
    "session_answer",
    "team_row",
    "team_rows",
    "token_row",
    "token_rows",
    "unread_notices",
    "updated_session",
    "visible_notices",
]
