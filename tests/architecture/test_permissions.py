"""Every view has its row in the permission table, every row its view, and the golden file is the table."""

import csv
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from curation.core.api.views import Operation
from curation.people.queries import permission_rows
from curation.people.rules import PERMISSIONS, SIGNED_IN, Grant, Reach, Role, operations_of, reach

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Addresses that are no operations: signing in, the page itself, picture files with their own check, the demo's log-ins.
NOT_OPERATIONS = ("_allauth/", "^_allauth/", "^(?!api/", "healthz", "media/", "api/v1/demo-log-ins")


def views(resolver=None, prefix=""):
    """Every address with its view class."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from views(entry, address)
        elif isinstance(entry, URLPattern):
            yield address, getattr(entry.callback, "view_class", None)


OPERATIONS = [
    (address, method, view.operations.get(method))
    for address, view in views()
    if view is not None and issubclass(view, Operation)
    for method in METHODS
    if hasattr(view, method.lower())
]


def test_every_address_is_an_operation_or_known_not_to_be():
    strays = [a for a, v in views() if not (v and issubclass(v, Operation)) and not a.startswith(NOT_OPERATIONS)]
    assert strays == []


def test_views_and_table_name_the_same_operations():
    named = [name for _, _, name in OPERATIONS]
    assert len(named) == len(set(named))
    assert set(PERMISSIONS) - set(named) <= {"media_show"}
    assert set(named) <= set(PERMISSIONS)


def test_the_golden_file_is_the_table():
    golden = Path(__file__).resolve().parents[1] / "permissions.csv"
    rows = [tuple(r) for r in csv.reader(golden.open())][1:]
    assert rows == permission_rows()


def _filled(address):
    parts = {"<slug:benchmark>": "cvlue", "<str:name>": "x"}
    for found, value in parts.items():
        address = address.replace(found, value)
    while "<int:" in address:
        start = address.index("<int:")
        address = address[:start] + "1" + address[address.index(">", start) + 1 :]
    return "/" + address


# A picture's file is "not found" to whoever is not signed in, so that no address tells whether it exists.
CLOSED = [(a, m) for a, m, name in OPERATIONS if name != "media_show"]


@pytest.mark.parametrize(("address", "method"), CLOSED, ids=str)
def test_nobody_gets_in_without_signing_in(address, method, db):
    answer = Client().generic(method, _filled(address), "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_a_reach_is_the_widest_of_all_grants():
    grants = [Grant(1, "a", Role.CONTRIBUTOR), Grant(1, "a", Role.CURATOR), Grant(2, "b", Role.ANNOTATOR)]
    assert reach(grants, 1, "image_list") is Reach.ALL
    assert reach(grants[:1], 1, "image_list") is Reach.OWN
    assert reach(grants, 2, "image_list") is Reach.NONE
    assert reach(grants, 1, "no_such_operation") is Reach.NONE
    assert reach([Grant(None, None, Role.OWNER)], 7, "person_list") is Reach.ALL


def test_nobody_signed_in_is_shut_out_of_their_own_session():
    assert set(PERMISSIONS) >= SIGNED_IN
    assert operations_of([], 1) == []
