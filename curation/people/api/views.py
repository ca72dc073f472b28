"""HTTP of people."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.serializers import JobAnswer
from curation.core.api.views import Operation, StrictView
from curation.core.errors import NotFound
from curation.people import access, queries, services
from curation.people.api import serializers as s
from curation.people.api.requests import PersonRequest
from curation.people.models import Person
from curation.people.rules import DEMO_LOG_INS


def session_of(person: Person) -> dict[str, Any]:
    """The session's answer for a person."""
    return {
        "person": person,
        "is_owner": person.owns_site,
        "benchmarks": queries.benchmarks_of(person),
        "build": settings.BUILD,
    }


class SessionView(Operation):
    """Who am I, and what may I do."""

    operations = {"GET": "session_show", "PATCH": "session_update"}

    @extend_schema(responses=s.SessionAnswer)
    def get(self, request: PersonRequest) -> Response:
        """Show the signed-in person."""
        return Response(s.SessionAnswer(session_of(request.user)).data)

    @extend_schema(request=s.SessionInput, responses=s.SessionAnswer)
    def patch(self, request: PersonRequest) -> Response:
        """Change the interface's language."""
        given = s.SessionInput.parse(request.data)
        services.set_language(person=request.user, language=given["language"])
        return Response(s.SessionAnswer(session_of(request.user)).data)


class PeopleView(Operation):
    """The people of a benchmark."""

    operations = {"GET": "person_list", "POST": "person_create"}

    @extend_schema(responses=s.PersonRow(many=True))
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List people with their roles."""
        return Response(s.PersonRow(queries.people_with_roles(request.user, benchmark), many=True).data)

    @extend_schema(request=s.PersonInput, responses={201: s.PersonRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Make an account with roles in this benchmark."""
        given = s.PersonInput.parse(request.data)
        roles = given.pop("roles")
        person = services.create_person(actor=request.user, benchmark_slug=benchmark, roles=roles, **given)
        return Response(s.PersonRow(queries.with_roles(person)).data, status=201)


class AuditView(Operation):
    """Every decision in a benchmark."""

    operations = {"GET": "audit_list"}
    query = s.AuditInput

    @extend_schema(parameters=[s.AuditInput], responses=s.AuditPage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List decisions, newest first."""
        given = s.AuditInput.parse(request.query_params.dict())
        return Response(s.AuditPage(queries.audit_page(request.user, benchmark, **given_with_none(given))).data)


class JobView(Operation):
    """Background work."""

    operations = {"GET": "job_show"}

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


def given_with_none(given: dict[str, Any]) -> dict[str, Any]:
    """Fill the optional filters in."""
    return {"cursor": None, **given}
