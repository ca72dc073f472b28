"""Statements built once: rows as the query set gives them, kept prepared by PostgreSQL, locked within transactions."""

import pytest
from django.db import connection, transaction
from django.db.models import BigIntegerField, CharField, Count
from django.test.utils import CaptureQueriesContext

from curation.lib.statements import Param, Prepared, prepared_cursor
from curation.people.models import Person, RoleGrant
from tests.people import Role, person

pytestmark = pytest.mark.django_db

NAMED = Prepared(lambda: Person.objects.filter(username=Param("name", CharField())))
GRANTS = Prepared(
    lambda: (
        RoleGrant.objects.select_related("person", "granted_by", "benchmark")
        .annotate(n=Count("person__role_grants"))
        .filter(person_id=Param("who", BigIntegerField()), role__in=["owner", "admin"])
        .order_by("pk")
    )
)
LOCKED = Prepared(lambda: Person.objects.select_for_update(no_key=True).filter(username=Param("name", CharField())))


def test_each_run_finds_what_its_values_name():
    first, second = person("first"), person("second")
    assert (NAMED.row(name="first"), NAMED.row(name="second"), NAMED.row(name="third")) == (first, second, None)
    assert (NAMED.rows(name="second"), NAMED.rows(name="third")) == ([second], [])


def test_rows_are_those_of_the_query_set_with_relations_and_annotations():
    owner = person("owner", None, Role.OWNER)
    (grant,) = GRANTS.rows(who=owner.pk)
    with CaptureQueriesContext(connection) as seen:
        assert (grant.person, grant.person.name, grant.granted_by, grant.benchmark, grant.n) == (
            owner,
            "owner 名",
            None,
            None,
            1,
        )
    assert len(seen) == 0
    assert grant == RoleGrant.objects.get(person=owner)


def test_text_is_a_value_whatever_it_says():
    made = person("o'%s\\; drop table x --")
    assert NAMED.row(name="o'%s\\; drop table x --") == made


def test_it_is_one_statement_and_counted_as_one():
    person("counted")
    with CaptureQueriesContext(connection) as seen:
        NAMED.row(name="counted")
    assert len(seen) == 1


def test_postgresql_keeps_its_plan():
    for _ in range(4):
        NAMED.row(name="anybody")
    with prepared_cursor() as cursor:
        cursor.execute("select count(*) from pg_prepared_statements where statement like %s", ['%"username" = ($1)%'])
        assert cursor.fetchone()[0] >= 1


@pytest.mark.django_db(transaction=True)
def test_locking_outside_a_transaction_is_refused():
    made = person("locked")
    with transaction.atomic():
        assert LOCKED.row(name="locked") == made
    with pytest.raises(transaction.TransactionManagementError):
        LOCKED.row(name="locked")
