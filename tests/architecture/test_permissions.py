"""Every view has its row in the permission table, every row its view, and the golden file is the table."""

import csv
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from curation.benchmarks.rules import OUTSIDER, Capability
from curation.core.api.operations import command
from curation.core.api.serializers import Input
from curation.core.api.views import OperationView
from curation.core.operations import OPERATIONS, Operation, Reach, declare, reaches, stale_after
from curation.people.api.permissions import HoldsOperation
from curation.people.models import Person
from curation.people.queries import permission_rows
from curation.people.rules import (
    LEAD,
    MEMBER,
    Grant,
    digest,
    narrowed,
    operations_of,
    planned_capabilities,
    reach,
)
from tests.declared import BY_LINK

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Addresses that are no operations: signing in, the pages, picture files with their own check, the demo's log-ins, and
# the public pages, which know no person.
NOT_OPERATIONS = (
    "_allauth/",
    "^_allauth/",
    "^(?!api/",
    "b/",
    "healthz",
    "readyz",
    "metrics",
    "mail/stop/",
    "media/",
    "api/v1/demo-log-ins",
    "p/",
    "sitemap.xml",
    "robots.txt",
)


def views(resolver=None, prefix=""):
    """Every address with its view class."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from views(entry, address)
        elif isinstance(entry, URLPattern):
            yield address, getattr(entry.callback, "view_class", None)


METHODS_OF = [
    (address, method, view.operations.get(method))
    for address, view in views()
    if view is not None and issubclass(view, OperationView)
    for method in dict.fromkeys([*METHODS, *view.operations])
    if hasattr(view, method.lower())
]


def test_every_address_is_an_operation_or_known_not_to_be():
    strays = [a for a, v in views() if not (v and issubclass(v, OperationView)) and not a.startswith(NOT_OPERATIONS)]
    assert strays == []


def test_every_method_of_a_view_declares_its_operation():
    named = [name for _, _, name in METHODS_OF]
    assert len(named) == len(set(named))
    assert set(named) == set(OPERATIONS)


def test_an_operation_is_declared_once():
    taken = OPERATIONS["package_show"]
    assert declare(taken) is taken
    with pytest.raises(ValueError, match="package_show is declared twice"):
        declare(Operation("package_show", reaches(member="all")))
    assert OPERATIONS["package_show"] is taken


def test_a_write_makes_stale_what_shows_one_of_its_subjects():
    assert stale_after(OPERATIONS["token_create"]) == ["token_list", "audit_list"]
    assert stale_after(OPERATIONS["draft_save"]) == []
    assert {"item_list", "image_list", "board_show"} <= set(stale_after(OPERATIONS["image_take_down"]))


def test_every_subject_that_is_changed_is_shown_somewhere():
    changed = {subject for operation in OPERATIONS.values() for subject in operation.changes}
    assert changed <= {subject for operation in OPERATIONS.values() for subject in operation.shows}


def test_the_golden_file_is_the_table():
    golden = Path(__file__).resolve().parents[1] / "permissions.csv"
    rows = [tuple(r) for r in csv.reader(golden.open())][1:]
    assert rows == permission_rows()


def _filled(address):
    parts = {
        "<slug:purpose>": "review",
        "<slug:benchmark>": "cvlue",
        "<slug:kind>": "captions",
        "<slug:label>": "img-0001",
        "<slug:system>": "demo",
        "<slug:language>": "en",
        "<slug:name>": "cvlue-vqa",
        "<str:name>": "x",
        "<uuid:upload>": str(uuid.uuid4()),
    }
    address = address.replace("_slug>", ">").replace("_id>", ">")
    for found, value in parts.items():
        address = address.replace(found, value)
    while "<int:" in address:
        start = address.index("<int:")
        address = address[:start] + "1" + address[address.index(">", start) + 1 :]
    return "/" + address


# A picture's file is "not found" to whoever is not signed in, so that no address tells whether it exists.
CLOSED = [(a, m) for a, m, name in METHODS_OF if name not in {"media_show"} | BY_LINK]


@pytest.mark.parametrize(("address", "method"), CLOSED, ids=str)
def test_nobody_gets_in_without_signing_in(address, method, db):
    answer = Client().generic(method, _filled(address), "{}", content_type="application/json")
    assert answer.status_code == 401
    assert method == "HEAD" or answer.json()["code"] == "not_signed_in"


def grant(benchmark_id, *capabilities, **more):
    return Grant(benchmark_id, "a", "role", capabilities=capabilities, **more)


OWNER = Grant(None, None, "owner", capabilities=("own",))


def test_a_reach_is_the_widest_of_all_grants():
    grants = [grant(1, "collect"), grant(1, "collect", "inspect_images"), grant(2, "annotate")]
    assert reach(grants, 1, "image_list") is Reach.ALL
    assert reach(grants[:1], 1, "image_list") is Reach.TEAM
    assert reach(grants, 2, "image_list") is Reach.NONE
    assert reach(grants, 1, "no_such_operation") is Reach.NONE
    assert reach(grants, 3, "benchmark_show") is Reach.NONE
    assert reach([grant(1)], 1, "benchmark_show") is Reach.ALL  # a role without any capability is a member's
    assert reach([OWNER], 7, "person_list") is Reach.ALL
    assert reach([OWNER], 7, "image_judge") is Reach.NONE


def test_an_outsider_is_no_member():
    outsider = Grant.from_row({"benchmark_id": 1, "slug": "a", "role": OUTSIDER})
    assert outsider == Grant(1, "a", OUTSIDER, None, (OUTSIDER,))
    assert (reach([outsider], 1, "benchmark_show"), reach([outsider], 1, "submission_list")) == (Reach.NONE, Reach.OWN)
    assert reach([outsider, grant(1)], 1, "benchmark_show") is Reach.ALL
    assert operations_of([outsider], 1) == [
        "erratum_list",
        "erratum_report",
        "crew_show",
        "crew_name",
        "crew_link",
        "crew_invitation",
        "crew_join",
        "crew_leave",
        "submission_releases",
        "submission_list",
        "submission_create",
        "submission_template",
        "submission_show",
        "submission_file",
        "submission_list_on",
        "submission_list_off",
        "terms_accept",
    ]
    person = Person()
    for grants, is_outsider in (([], False), ([outsider], True), ([outsider, grant(2)], False)):
        person.grants = tuple(grants)
        assert (person.is_outsider, person.knows(1)) == (is_outsider, False)


def test_a_capability_may_be_for_one_kind_of_work():
    grants = [grant(1, "annotate:captions", "review:vqa")]
    assert reach(grants, 1, "package_claim", "captions") is Reach.ALL
    assert reach(grants, 1, "package_claim", "vqa") is Reach.NONE
    assert reach(grants, 1, "package_claim") is Reach.ALL
    assert reach(grants, 1, "package_review_take", "captions") is Reach.NONE
    assert reach([grant(1, "annotate")], 1, "package_claim", "vqa") is Reach.ALL


def test_a_token_leaves_its_benchmark_and_what_it_lists():
    left = narrowed(
        [OWNER, grant(1, "administer"), grant(2, "administer")],
        benchmark_id=1,
        slug="a",
        operations=["package_list", "role_grant"],
    )
    assert [g.benchmark_id for g in left] == [1, 1]
    assert operations_of(left, 1) == ["package_list"]
    assert (operations_of(left, 2), reach(left, None, "benchmark_create")) == ([], Reach.NONE)


def test_reads_reach_as_far_as_the_write_that_they_answer_and_nothing_else_does():
    (held,) = narrowed([grant(1, "annotate")], benchmark_id=1, slug="a", operations=["package_claim"])
    answering = held._replace(answering="package_claim")
    assert (reach([held], 1, "package_show"), reach([answering], 1, "package_show")) == (Reach.NONE, Reach.ALL)
    assert (reach([answering], 2, "package_show"), reach([answering], 1, "item_submit")) == (Reach.NONE, Reach.NONE)
    assert operations_of([answering], 1) == ["package_claim"]
    # A token that does not hold the write opens nothing.
    other = held._replace(only=frozenset(["package_list"]), answering="package_claim")
    assert reach([other], 1, "package_show") is Reach.NONE


def test_a_service_runs_without_the_reach_of_its_answer():
    declared, seen = OPERATIONS["package_withdraw"], []

    def note(person):
        seen.append([(g.answering, person.reach(1, "package_show")) for g in person.grants])

    def service(*, actor: Person) -> None:
        note(actor)

    def answer(person: Person, result: None) -> dict[str, str]:
        note(person)
        return {}

    write = command(
        declared.name, service, Input, declared.reaches, then=answer, changes=" ".join(sorted(declared.changes))
    )
    actor = Person()
    actor.grants = narrowed([grant(1, "administer")], benchmark_id=1, slug="a", operations=[declared.name])
    request: Any = SimpleNamespace(user=actor, data={}, method="POST", auth=None)
    view: Any = SimpleNamespace(operations={"POST": declared.name}, allowed_methods=["POST"])
    assert HoldsOperation().has_permission(request, view)
    write(view, request)
    assert seen == [[("", Reach.NONE)], [(declared.name, Reach.ALL)]]


def test_the_digest_changes_with_whatever_decides():
    told = [
        digest([grant(1, "collect")]),
        digest([grant(1, "collect", consented=False)]),
        digest([grant(2, "collect")]),
    ]
    told += [digest([grant(1, "annotate")]), digest([]), digest([grant(1, "collect", team_id=3)])]
    assert len(set(told)) == 6
    assert {len(d) for d in told} == {12}
    assert digest([grant(1), OWNER]) == digest([OWNER, grant(1)])


def test_operations_name_capabilities_that_exist():
    named = {name for operation in OPERATIONS.values() for name in operation.reaches}
    assert named <= {c.value for c in Capability} | {MEMBER, LEAD, OUTSIDER}
    assert {name for name, operation in OPERATIONS.items() if not operation.reaches} == set(BY_LINK)
    assert operations_of([], 1) == []


def test_what_is_planned_is_what_no_operation_asks_for():
    assert planned_capabilities() == [
        "moderate",
        "rate",
        "label_errors",
        "teach",
        "review_translations",
    ]
