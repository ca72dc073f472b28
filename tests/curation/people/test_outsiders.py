"""People outside the team: they come by a link, submit predictions, and count as members nowhere."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from curation.benchmarks.rules import OUTSIDER
from curation.people import access, queries, services
from curation.people.errors import RoleUnknown
from curation.people.models import Invitation, Notice, Person, RoleGrant, Team
from tests.people import PASSWORD, key, person, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

HERE = "benchmarks/cvlue"
TEAMS = {"teams": {"size_maximum": 3, "roles": ["contributor"], "lead_may_invite": True}}
NEW = {"username": "li.lei", "name": "李雷", "password": PASSWORD}


@shared
def here():
    return world(captions_protocol() | TEAMS | {"publication": {"sign_up": "invited"}})


def invite(who, **changes):
    return send(signed_in(who), "POST", f"{HERE}/invitations", {"roles": [OUTSIDER], "client_key": key()} | changes)


def test_an_outsider_joins_by_a_link(here):
    token = invite(here.admin).json()["token"]
    read = send(Client(), "POST", "invitations/read", {"token": token}).json()
    assert [(role["code"], role["name"]["en"]) for role in read["roles"]] == [(OUTSIDER, "Submit predictions")]
    joined = send(Client(), "POST", "invitations/accept", {"token": token} | NEW)
    assert joined.json() == {"slug": "cvlue", "username": "li.lei", "is_outsider": True}
    who = Person.objects.get(username="li.lei")
    assert list(who.role_grants.values_list("role", "team", "granted_by")) == [(OUTSIDER, None, here.admin.pk)]


def test_members_are_no_outsiders_by_an_outsiders_link(here):
    token = invite(here.admin).json()["token"]
    joined = send(signed_in(here.annotator), "POST", "invitations/accept", {"token": token})
    assert joined.json()["is_outsider"] is False


def test_no_link_makes_outsiders_of_another_sort(here):
    team = Team.objects.create(benchmark=here.benchmark, name="ours")
    assert told(invite(here.admin, roles=[OUTSIDER, "annotator"])) == (400, "invalid_input")
    assert told(invite(here.admin, team=team.pk)) == (422, "role_unknown")
    here.benchmark.protocol.content["publication"]["sign_up"] = "off"
    with pytest.raises(RoleUnknown):
        services.create_invitation(
            actor=here.admin,
            benchmark_slug="cvlue",
            roles=[OUTSIDER],
            team_id=team.pk,
            lead=False,
            note="",
            client_key=uuid.uuid4(),
        )
    assert Invitation.objects.count() == 0


def test_the_site_has_the_role_to_itself(here):
    stranger = here.stranger
    team = Team.objects.create(benchmark=here.benchmark, name="ours")
    for benchmark, of_team in ((None, None), (here.benchmark, team)):
        with pytest.raises(IntegrityError), transaction.atomic():
            RoleGrant.objects.create(person=stranger, benchmark=benchmark, team=of_team, role=OUTSIDER)
    body = {"role": OUTSIDER, "client_key": key()}
    answer = send(signed_in(here.admin), "POST", f"{HERE}/people/{here.annotator.pk}/roles", body)
    assert told(answer) == (422, "role_unknown")
    assert not RoleGrant.objects.filter(role=OUTSIDER).exists()


def test_an_outsider_counts_nowhere(here):
    outsider = person("outsider", here.benchmark, OUTSIDER)
    admin = signed_in(here.admin)
    people = send(admin, "GET", f"{HERE}/people?search=outsider").json()["results"]
    assert people == []
    for method, address, body in (
        ("GET", f"{HERE}/people/{outsider.pk}", None),
        ("POST", f"{HERE}/people/{outsider.pk}/roles", {"role": "annotator", "client_key": key()}),
        ("POST", f"{HERE}/people/{outsider.pk}/password-link", {"client_key": key()}),
    ):
        assert told(send(admin, method, address, body)) == (404, "not_found")
    assert outsider not in access.people_of(here.benchmark)
    assert outsider.pk not in queries.heads_of(here.benchmark)
    assert list(outsider.role_grants.values_list("role", flat=True)) == [OUTSIDER]


def test_an_outsider_sees_no_benchmark_and_is_refused_like_a_stranger(here):
    outsider = person("outsider", here.benchmark, OUTSIDER)
    Notice.objects.create(person=outsider, benchmark=here.benchmark, code="x", target_type="item", target_id=1)
    browser = signed_in(outsider)
    session = send(browser, "GET", "session").json()
    assert (session["benchmarks"], session["submits_to"]) == ([], ["cvlue"])
    assert send(browser, "GET", "benchmarks").json() == []
    assert send(browser, "GET", "notices").json()["results"] == []
    for address in (HERE, f"{HERE}/people", f"{HERE}/items", f"{HERE}/consent", f"{HERE}/releases", "systems"):
        assert told(send(browser, "GET", address)) == (404, "not_found")
    body = {"name": "x", "benchmark": "cvlue", "operations": ["submission_list"], "days": 1, "client_key": key()}
    assert told(send(browser, "POST", "tokens", body)) == (404, "not_found")


def test_who_is_a_member_too_stays_one(here):
    RoleGrant.objects.create(person=here.annotator, benchmark=here.benchmark, role=OUTSIDER)
    browser = signed_in(here.annotator)
    assert send(browser, "GET", HERE).status_code == 200
    assert send(browser, "GET", "session").json()["submits_to"] == []
    assert here.annotator in access.people_of(here.benchmark)


def test_an_outsider_is_barred_by_ending_the_role(here):
    outsider = person("outsider", here.benchmark, OUTSIDER)
    grant = outsider.role_grants.get()
    ended = send(signed_in(here.admin), "POST", f"role-grants/{grant.pk}/end", {"client_key": key()})
    assert (ended.status_code, ended.json()["grants"]) == (200, [])
    assert send(signed_in(outsider), "GET", "session").json()["submits_to"] == []
