"""HTTP of sessions, people, roles, teams and the audit log."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.serializers import ClientKeyInput, JobAnswer
from curation.core.api.views import OperationView, StrictView
from curation.core.errors import NotFound
from curation.core.operations import Entry, reaches
from curation.people import access, queries, services
from curation.people.api import serializers as s
from curation.people.api.audit_file import lines
from curation.people.api.requests import PersonRequest
from curation.people.models import Person
from curation.people.rules import CURATORS, DEMO_LOG_INS, HEADS, MEMBERS, OWNERS


def session_of(person: Person) -> dict[str, Any]:
    """The session's answer for a person."""
    return {
        "person": person,
        "is_owner": person.owns_site,
        "benchmarks": queries.benchmarks_of(person),
        "build": settings.BUILD,
    }


class SessionView(OperationView):
    """Who am I, and what may I do."""

    @operation("session_show", MEMBERS, entry=Entry.SIGNED_IN, shows="person role benchmark protocol consent")
    @extend_schema(responses=s.SessionAnswer)
    def get(self, request: PersonRequest) -> Response:
        """Show the signed-in person."""
        return Response(s.SessionAnswer(session_of(request.user)).data)

    @operation("session_update", MEMBERS, entry=Entry.SIGNED_IN, by_token=False, changes="person")
    @extend_schema(request=s.SessionInput, responses=s.SessionAnswer)
    def patch(self, request: PersonRequest) -> Response:
        """Change the interface's language or the name that colleagues see."""
        services.change_oneself(person=request.user, **s.SessionInput.parse(request.data))
        return Response(s.SessionAnswer(session_of(request.user)).data)


class PeopleView(OperationView):
    """The people of a benchmark."""

    @operation("person_list", HEADS, by_token=False, shows="person role team", query=s.PeopleInput)
    @extend_schema(parameters=[s.PeopleInput], responses=s.PersonPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List people with the roles they hold."""
        given: dict[str, Any] = {"search": None, "role": None, "team": None, "cursor": None}
        given |= s.PeopleInput.parse(request.query_params.dict())
        return Response(s.PersonPage(queries.people_page(request.user, benchmark, **given)).data)


class PersonView(OperationView):
    """One person in a benchmark."""

    @operation("person_show", HEADS, by_token=False, shows="person role team")
    @extend_schema(responses=s.PersonDetail)
    def get(self, request: PersonRequest, benchmark: str, person: int) -> Response:
        """Show a person with every role they held and what they agreed to."""
        return Response(s.PersonDetail(queries.person_detail(request.user, benchmark, person)).data)


class RolesView(OperationView):
    """A person's roles."""

    @operation("role_grant", HEADS, by_token=False, changes="role")
    @extend_schema(request=s.GrantInput, responses=s.PersonRow)
    def post(self, request: PersonRequest, benchmark: str, person: int) -> Response:
        """Give a role."""
        given = s.GrantInput.parse(request.data)
        changed = services.grant_role(
            actor=request.user,
            benchmark_slug=benchmark,
            person_id=person,
            role=given["role"],
            team_id=given.get("team"),
            client_key=given["client_key"],
        )
        return Response(s.PersonRow(queries.person_in(changed.pk, slug=benchmark)).data)


class RoleEndView(OperationView):
    """The end of a role."""

    @operation("role_end", HEADS, by_token=False, changes="role")
    @extend_schema(request=ClientKeyInput, responses=s.PersonRow)
    def post(self, request: PersonRequest, grant: int) -> Response:
        """End a role."""
        ended = services.end_role(actor=request.user, grant_id=grant, **ClientKeyInput.parse(request.data))
        return Response(s.PersonRow(queries.person_in(ended.person_id, pk=ended.benchmark_id)).data)


class AccountCloseView(OperationView):
    """The end of an account's sessions and tokens."""

    @operation("account_close", OWNERS, by_token=False, changes="person")
    @extend_schema(request=ClientKeyInput, responses=s.AccountRow)
    def post(self, request: PersonRequest, person: int) -> Response:
        """Close an account."""
        closed = services.close_account(actor=request.user, person_id=person, **ClientKeyInput.parse(request.data))
        return Response(s.AccountRow(queries.account_row(closed)).data)


class AccountOpenView(OperationView):
    """A closed account opened again."""

    @operation("account_open", OWNERS, by_token=False, changes="person")
    @extend_schema(request=ClientKeyInput, responses=s.AccountRow)
    def post(self, request: PersonRequest, person: int) -> Response:
        """Open an account."""
        opened = services.open_account(actor=request.user, person_id=person, **ClientKeyInput.parse(request.data))
        return Response(s.AccountRow(queries.account_row(opened)).data)


class TeamsView(OperationView):
    """The teams of a benchmark."""

    @operation("team_list", reaches(own="all", administer="all", member="team"), by_token=False, shows="team role")
    @extend_schema(responses=s.TeamRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List open teams with their members; who only belongs to a team sees that one."""
        return Response(s.TeamRow(queries.teams_of(request.user, benchmark), many=True).data)

    @operation("team_create", HEADS, by_token=False, changes="team")
    @extend_schema(request=s.TeamInput, responses={201: s.TeamRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make an empty team."""
        given = s.TeamInput.parse(request.data)
        team = services.create_team(actor=request.user, benchmark_slug=benchmark, **given)
        return Response(s.TeamRow(queries.team_json(team)).data, status=201)


class TeamView(OperationView):
    """One team."""

    @operation("team_update", HEADS, by_token=False, changes="team")
    @extend_schema(request=s.TeamChanges, responses=s.TeamRow)
    def patch(self, request: PersonRequest, team: int) -> Response:
        """Rename a team or say who leads it."""
        given = s.TeamChanges.parse(request.data)
        changed = services.update_team(actor=request.user, team_id=team, set_lead="lead" in given, **given)
        return Response(s.TeamRow(queries.team_json(changed)).data)


class TeamCloseView(OperationView):
    """The end of a team."""

    @operation("team_close", HEADS, by_token=False, changes="team role")
    @extend_schema(request=ClientKeyInput, responses=s.TeamRow)
    def post(self, request: PersonRequest, team: int) -> Response:
        """Close a team and end the roles held in it."""
        closed = services.close_team(actor=request.user, team_id=team, **ClientKeyInput.parse(request.data))
        return Response(s.TeamRow(queries.team_json(closed)).data)


class AuditView(OperationView):
    """Every decision in a benchmark."""

    @operation("audit_list", CURATORS, shows="*", query=s.AuditInput)
    @extend_schema(parameters=[s.AuditInput], responses=s.AuditPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List decisions, newest first."""
        given = {"cursor": None} | s.AuditInput.parse(request.query_params.dict())
        return Response(s.AuditPage(queries.audit_page(request.user, benchmark, **given)).data)


class AuditFileView(OperationView):
    """Every decision in a benchmark as a file."""

    @operation("audit_file", CURATORS, query=s.AuditFilters)
    @extend_schema(
        parameters=[s.AuditFilters],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY, description="CSV, oldest first")},
    )
    def get(self, request: PersonRequest, benchmark: str) -> StreamingHttpResponse:
        """Send decisions as CSV."""
        given = s.AuditFilters.parse(request.query_params.dict())
        rows = queries.audit_rows(request.user, benchmark, **given)
        answer = StreamingHttpResponse(lines(rows), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{benchmark}-audit.csv"'
        answer["X-Content-Type-Options"] = "nosniff"
        return answer


class JobView(OperationView):
    """Background work."""

    @operation("job_show", CURATORS, shows="job")
    @extend_schema(responses=JobAnswer)
    def get(self, request: PersonRequest, job_id: int) -> Response:
        """Show how far it is."""
        return Response(JobAnswer(access.job_for(request.user, job_id)).data)


class DemoLogInsView(StrictView):
    """The demo's log-ins, so that a visitor can walk in; nowhere else does this exist."""

    authentication_classes = ()
    permission_classes = ()

    @extend_schema(operation_id="demo_log_ins", responses=s.DemoLogIn(many=True))
    def get(self, request: Request) -> Response:
        """List one log-in per role, in the demo only."""
        if not settings.DEMO:
            raise NotFound
        return Response(s.DemoLogIn(DEMO_LOG_INS, many=True).data)
