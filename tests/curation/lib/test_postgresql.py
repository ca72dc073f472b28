"""Kept connections: looked at, and asked only when there is something to read."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return cursor.fetchone()[0]


def test_an_idle_connection_is_usable_and_is_not_asked():
    backend()
    asked = []
    connection.connection.execute, kept = lambda *a, **k: asked.append(a), connection.connection.execute
    try:
        assert connection.is_usable() is True
    finally:
        connection.connection.execute = kept
    assert asked == []


def test_one_that_the_server_ended_is_not_usable_and_the_next_request_gets_another():
    ended = backend()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 5000)", [ended])
    other.close()
    assert connection.is_usable() is False
    connection.close()
    assert backend() != ended


def test_it_is_django_s_backend_otherwise():
    with CaptureQueriesContext(connection) as seen:
        backend()
    assert (connection.vendor, len(seen)) == ("postgresql", 1)
