"""Roles given and ended, accounts closed and opened: at once, by somebody else, once."""

import contextlib

import pytest
from django.db import transaction
from django.utils import timezone

from curation.core.models import AuditEvent
from curation.people.models import ApiToken, PersonSession, RoleGrant
from tests.people import Role, key, person, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "benchmarks/cvlue"


@shared
def here():
    return world(captions_protocol())


def held(who):
    return sorted(RoleGrant.objects.filter(person=who, ended_at=None).values_list("role", flat=True))


def grant_of(who, role):
    return RoleGrant.objects.get(person=who, role=role, ended_at=None).pk


def test_a_role_is_given_and_works_with_the_next_request(here):
    admin, browser = signed_in(here.admin), signed_in(here.annotator)
    before = browser.get("/api/v1/session")["X-Grants"]
    body = {"role": "senior", "client_key": key()}
    answer = send(admin, "POST", f"{HERE}/people/{here.annotator.pk}/roles", body)
    assert answer.status_code == 200
    assert [g["role"] for g in answer.json()["grants"]] == ["annotator", "senior"]
    session = browser.get("/api/v1/session")
    assert "package_review_take" in session.json()["benchmarks"][0]["operations"]
    assert session["X-Grants"] != before
    again = send(admin, "POST", f"{HERE}/people/{here.annotator.pk}/roles", body)
    assert (again.status_code, held(here.annotator)) == (200, ["annotator", "senior"])
    event = AuditEvent.objects.get(action="role_grant")
    assert (event.actor_id, event.target_id, event.data) == (
        here.admin.pk,
        here.annotator.pk,
        {"role": "senior", "team_id": None},
    )


def test_an_ended_role_is_over_with_the_next_request_and_stays_as_history(here):
    admin, browser = signed_in(here.admin), signed_in(here.annotator)
    assert send(browser, "GET", HERE).status_code == 200
    grant = grant_of(here.annotator, "annotator")
    answer = send(admin, "POST", f"role-grants/{grant}/end", {"client_key": key()})
    assert (answer.status_code, answer.json()["grants"]) == (200, [])
    assert told(send(browser, "GET", HERE)) == (403, "operation_not_allowed")
    detail = send(admin, "GET", f"{HERE}/people/{here.annotator.pk}").json()
    [past] = detail["history"]
    assert (past["role"], past["ended_by"]["id"], past["ended_at"] is None) == ("annotator", here.admin.pk, False)
    # Given again it is another row.
    body = {"role": "annotator", "client_key": key()}
    assert send(admin, "POST", f"{HERE}/people/{here.annotator.pk}/roles", body).status_code == 200
    assert RoleGrant.objects.filter(person=here.annotator).count() == 2


def test_nobody_changes_their_own_roles(here):
    admin = signed_in(here.admin)
    mine = send(admin, "POST", f"{HERE}/people/{here.admin.pk}/roles", {"role": "senior", "client_key": key()})
    end = send(admin, "POST", f"role-grants/{grant_of(here.admin, 'admin')}/end", {"client_key": key()})
    assert (told(mine), told(end)) == ((403, "own_roles"), (403, "own_roles"))
    assert held(here.admin) == ["admin"]
    assert AuditEvent.objects.count() == 0


@pytest.mark.parametrize("who", ["curator", "senior", "annotator", "contributor"])
def test_only_who_administers_changes_roles(here, who):
    browser = signed_in(getattr(here, who))
    give = send(browser, "POST", f"{HERE}/people/{here.senior2.pk}/roles", {"role": "admin", "client_key": key()})
    end = send(browser, "POST", f"role-grants/{grant_of(here.admin, 'admin')}/end", {"client_key": key()})
    assert (give.status_code, end.status_code) == (403, 403)
    assert (held(here.senior2), held(here.admin)) == (["senior"], ["admin"])


def test_what_cannot_be_given_or_ended(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    admin = signed_in(here.admin)

    def give(person, role):
        return send(admin, "POST", f"{HERE}/people/{person.pk}/roles", {"role": role, "client_key": key()})

    assert told(give(here.senior, "owner")) == (422, "role_unknown")
    assert told(give(here.senior, "painter")) == (422, "role_unknown")
    # Somebody who never took part is not there to be found.
    assert told(give(other.senior, "senior")) == told(give(here.stranger, "senior")) == (404, "not_found")
    for grant in (grant_of(other.senior, "senior"), grant_of(here.owner, "owner"), 10**9):
        assert told(send(admin, "POST", f"role-grants/{grant}/end", {"client_key": key()})) == (404, "not_found")
    assert (held(here.senior), held(other.senior), held(here.owner)) == (["senior"], ["senior"], ["owner"])


def test_the_list_filters_and_pages(here):
    admin = signed_in(here.admin)
    first = send(admin, "GET", f"{HERE}/people?page_size=3").json()
    assert [p["username"] for p in first["results"]] == ["admin", "curator", "curator2"]
    assert first["total"] == 8
    second = send(admin, "GET", f"{HERE}/people?page_size=3&cursor={first['next']}").json()
    assert [p["username"] for p in second["results"]] == ["senior", "senior2", "annotator"]
    assert [p["username"] for p in send(admin, "GET", f"{HERE}/people?role=senior").json()["results"]] == [
        "senior",
        "senior2",
    ]
    found = send(admin, "GET", f"{HERE}/people?search=tator2").json()["results"]
    assert [(p["username"], p["active"], p["consented"]) for p in found] == [("annotator2", True, True)]


def test_a_closed_account_is_out_at_once_and_may_come_back(here):
    owner, browser = signed_in(here.owner), signed_in(here.senior)
    token = send(
        browser,
        "POST",
        "tokens",
        {"name": "x", "benchmark": "cvlue", "operations": ["package_list"], "days": 1, "client_key": key()},
    ).json()["token"]
    assert told(send(signed_in(here.admin), "POST", f"people/{here.senior.pk}/close", {"client_key": key()})) == (
        403,
        "operation_not_allowed",
    )
    assert told(send(owner, "POST", f"people/{here.owner.pk}/close", {"client_key": key()})) == (403, "own_account")
    closed = send(owner, "POST", f"people/{here.senior.pk}/close", {"client_key": key()})
    assert (closed.status_code, closed.json()["active"]) == (200, False)
    assert told(browser.get("/api/v1/session")) == (401, "not_signed_in")
    assert not PersonSession.objects.filter(person=here.senior).exists()
    assert ApiToken.objects.get().revoked_at is not None
    opened = send(owner, "POST", f"people/{here.senior.pk}/open", {"client_key": key()})
    assert opened.json()["active"] is True
    assert told(browser.get("/api/v1/session")) == (401, "not_signed_in")
    assert send(signed_in(here.senior), "GET", HERE).status_code == 200
    answer = send(signed_in(here.stranger), "GET", f"{HERE}/packages", Authorization=f"Bearer {token}")
    assert told(answer) == (401, "not_signed_in")
    assert list(AuditEvent.objects.filter(target_id=here.senior.pk).values_list("action", "state_to")) == [
        ("account_close", "closed"),
        ("account_open", "open"),
    ]


def test_the_owner_ends_an_admins_role(here):
    answer = send(
        signed_in(here.owner), "POST", f"role-grants/{grant_of(here.admin, 'admin')}/end", {"client_key": key()}
    )
    assert (answer.status_code, held(here.admin)) == (200, [])
    assert Role.OWNER in held(here.owner)


def test_a_persons_page_offers_what_is_accepted(here):
    """Everything that may be done with a person, tried by everyone who sees the page."""
    closed = person("closed", here.benchmark, Role.ANNOTATOR)
    closed.is_active = False
    closed.save(update_fields=["is_active"])
    admin2 = person("admin2", here.benchmark, Role.ADMIN)
    former = person("former", here.benchmark, Role.ANNOTATOR)
    RoleGrant.objects.filter(person=former).update(ended_at=timezone.now(), ended_by=here.owner)
    RoleGrant.objects.create(person=here.owner, benchmark=here.benchmark, role=Role.CURATOR)
    offered = {}
    for reader in (here.owner, here.admin):
        browser = signed_in(reader)
        for member in (here.owner, here.admin, admin2, here.annotator, closed, former):
            actions = send(browser, "GET", f"{HERE}/people/{member.pk}").json()["available_actions"]
            for operation, path in (
                ("password_link", f"{HERE}/people/{member.pk}/password-link"),
                ("account_close", f"people/{member.pk}/close"),
                ("account_open", f"people/{member.pk}/open"),
            ):
                if operation in actions:
                    with contextlib.suppress(_Undone), transaction.atomic():
                        answer = send(browser, "POST", path, {"client_key": key()})
                        assert answer.status_code < 300, (reader.username, member.username, operation, told(answer))
                        raise _Undone
            offered[reader.username, member.username] = actions
    roles = ["role_grant", "role_end"]
    everything = [*roles, "password_link", "account_close"]
    assert offered == {
        ("owner", "owner"): [],
        ("owner", "admin"): everything,
        ("owner", "admin2"): everything,
        ("owner", "annotator"): everything,
        ("owner", "closed"): ["role_end", "account_open"],
        ("owner", "former"): [*roles, "account_close"],
        ("admin", "owner"): roles,
        ("admin", "admin"): [],
        ("admin", "admin2"): roles,  # the password of another administrator is the owner's to reset
        ("admin", "annotator"): [*roles, "password_link"],
        ("admin", "closed"): ["role_end"],
        ("admin", "former"): roles,
    }


class _Undone(Exception):
    pass
