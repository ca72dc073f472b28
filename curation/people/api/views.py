"""HTTP of the session, people, roles, teams and the audit log."""

from __future__ import annotations

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import answers, command, csv_file, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView, StrictView
from curation.core.errors import NotFound
from curation.core.operations import Entry, reaches
from curation.people import queries, services, shapes
from curation.people.api import serializers as s
from curation.people.rules import CURATORS, HEADS, MEMBERS, OWNERS, PICTURE_VIEWERS


class SessionView(OperationView):
    """The signed-in person and what they may do."""

    get = query(
        "session_show",
        queries.session_answer,
        MEMBERS,
        entry=Entry.SIGNED_IN,
        shows="person role benchmark protocol consent",
    )
    patch = command(
        "session_update",
        services.update_own_account,
        s.SessionInput,
        MEMBERS,
        then=queries.updated_session,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="person",
    )


class PeopleView(OperationView):
    """The people of a benchmark."""

    get = query(
        "person_list", queries.person_page, HEADS, parameters=s.PeopleInput, by_token=False, shows="person role team"
    )


class PersonView(OperationView):
    """One person in a benchmark."""

    get = query("person_show", queries.person_detail, HEADS, by_token=False, shows="person role team")


class RolesView(OperationView):
    """A person's roles."""

    post = command(
        "role_grant",
        services.grant_role,
        s.GrantInput,
        HEADS,
        then=queries.member_row,
        by_token=False,
        changes="role",
    )


class RoleEndView(OperationView):
    """Ending a role."""

    post = command(
        "role_end",
        services.end_role,
        ClientKeyInput,
        HEADS,
        then=queries.member_row,
        by_token=False,
        changes="role invitation",
    )


class AccountCloseView(OperationView):
    """Closing an account."""

    post = command(
        "account_close",
        services.close_account,
        ClientKeyInput,
        OWNERS,
        then=queries.account_row,
        by_token=False,
        changes="person invitation",
    )


class AccountOpenView(OperationView):
    """Opening a closed account again."""

    post = command(
        "account_open",
        services.open_account,
        ClientKeyInput,
        OWNERS,
        then=queries.account_row,
        by_token=False,
        changes="person",
    )


class TeamsView(OperationView):
    """The teams of a benchmark."""

    get = query(
        "team_list",
        queries.team_rows,
        reaches(own="all", administer="all", member="team", inspect="all"),
        by_token=False,
        shows="team role",
    )
    post = command(
        "team_create",
        services.create_team,
        s.TeamInput,
        HEADS,
        then=queries.team_row,
        status=201,
        by_token=False,
        changes="team",
    )


class TeamView(OperationView):
    """One team."""

    patch = command(
        "team_update",
        services.update_team,
        s.TeamChanges,
        HEADS,
        then=queries.team_row,
        by_token=False,
        changes="team invitation",
    )


class TeamCloseView(OperationView):
    """Closing a team."""

    post = command(
        "team_close",
        services.close_team,
        ClientKeyInput,
        HEADS,
        then=queries.team_row,
        by_token=False,
        changes="team role invitation",
    )


class AuditView(OperationView):
    """Every decision in a benchmark."""

    get = query("audit_list", queries.audit_page, CURATORS, parameters=s.AuditInput, shows="*")


class AuditFileView(OperationView):
    """Every decision in a benchmark as a file."""

    get = csv_file(
        "audit_file", queries.audit_cells, queries.AUDIT_COLUMNS, CURATORS, title="audit", parameters=s.AuditFilters
    )


class JobView(OperationView):
    """Background work."""

    get = query("job_show", queries.job_page, PICTURE_VIEWERS, shows="job")


class DemoLogInsView(StrictView):
    """The accounts of the demo, so that visitors can sign in; a site that is no demo answers 404."""

    authentication_classes = ()
    permission_classes = ()

    @answers(list[shapes.DemoLogIn], operation_id="demo_log_ins")
    def get(self, request: Request) -> Response:
        """List one account for each role."""
        if not settings.DEMO:
            raise NotFound
        return Response(queries.demo_log_ins())
