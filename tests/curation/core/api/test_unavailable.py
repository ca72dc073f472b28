"""What people are told while the database is away: that it is, and that trying again is safe."""

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connections

from curation.core.api import views
from curation.people.api import session
from tests.people import signed_in, world
from tests.protocols import captions_protocol


def fault(kind, cause):
    """An error as Django raises it, with the driver's beneath."""
    error = kind(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("kind", "cause", "status"),
    [
        (OperationalError, psycopg.OperationalError("connection failed"), 503),
        (InterfaceError, psycopg.InterfaceError("the connection is closed"), 503),
        (OperationalError, psycopg.errors.AdminShutdown("57P01"), 503),
        (OperationalError, psycopg.errors.CannotConnectNow("57P03"), 503),
        (OperationalError, psycopg.errors.TooManyConnections("53300"), 503),
        (OperationalError, psycopg.errors.DiskFull("53100"), 500),
        (OperationalError, psycopg.errors.DeadlockDetected("40P01"), 500),
        (OperationalError, psycopg.errors.QueryCanceled("57014"), 500),
    ],
)
def test_only_a_database_that_is_away_is_said_to_be(kind, cause, status):
    answer = views.answer_error(fault(kind, cause), {"view": None})
    assert answer.status_code == status
    assert answer.data["code"] == {503: "database_unavailable", 500: "internal_error"}[status]
    assert answer.get("Retry-After") == ({503: "2"}.get(status))


@pytest.mark.django_db
def test_an_address_that_nobody_answers_at_is_said_to_be_away(monkeypatch):
    here = world(captions_protocol(size=2))
    browser = signed_in(here.annotator)
    browser.raise_request_exception = False

    def refused(*_args, **_kwargs):
        # A port of this machine on which nobody listens.
        wrong = connections.create_connection("default")
        wrong.settings_dict = wrong.settings_dict | {"HOST": "127.0.0.1", "PORT": "1"}
        wrong.ensure_connection()

    monkeypatch.setattr(session.PersonMiddleware, "__call__", refused)
    answer = browser.get("/api/v1/session")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
