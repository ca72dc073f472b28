"""Links that work once, and what nobody gets by them."""

import hashlib
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from curation.core.models import AuditEvent
from curation.people import services
from curation.people.errors import InvitationUsed
from curation.people.models import Invitation, Person, PersonSession, RoleGrant, Team
from tests.people import PASSWORD, Role, key, person, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

HERE = "benchmarks/cvlue"
TEAMS = {"teams": {"size_maximum": 3, "roles": ["contributor"], "lead_may_invite": True}}
NEW = {"username": "li.lei", "name": "李雷𠮷", "password": PASSWORD, "language": "zh-Hant"}


@shared
def here():
    return world(captions_protocol() | TEAMS)


def invite(who, **changes):
    body = {"roles": ["annotator"], "note": "给李雷", "client_key": key()} | changes
    return send(signed_in(who), "POST", f"{HERE}/invitations", body)


def read(token):
    return send(Client(), "POST", "invitations/read", {"token": token})


def accept(token, browser=None, **body):
    return send(browser or Client(), "POST", "invitations/accept", {"token": token} | body)


def nobody_came(people=10):
    return (Person.objects.count(), Invitation.objects.filter(used_at__isnull=False).count()) == (people, 0)


def test_a_link_is_shown_once_read_and_joins_one_person(here):
    body = {"roles": ["annotator", "senior"], "note": "给李雷", "client_key": key()}
    made = send(signed_in(here.admin), "POST", f"{HERE}/invitations", body)
    token = made.json()["token"]
    assert (made.status_code, made.json()["state"], made.json()["replayed"], len(token)) == (201, "open", False, 43)
    row = Invitation.objects.get()
    assert row.token_sha256 == hashlib.sha256(token.encode()).hexdigest()
    assert token not in str(list(Invitation.objects.values())) + str(list(AuditEvent.objects.values()))
    assert (row.expires_at - row.created_at).days in {6, 7}
    again = send(signed_in(here.admin), "POST", f"{HERE}/invitations", body)
    assert (again.json()["token"], again.json()["replayed"], again.json()["id"]) == (None, True, row.pk)
    other = send(signed_in(here.admin), "POST", f"{HERE}/invitations", body | {"note": "x"})
    assert told(other) == (422, "client_key_reused")

    shown = read(token).json()
    assert (shown["purpose"], shown["benchmark"]["slug"], shown["username"]) == ("join", "cvlue", None)
    assert [r["code"] for r in shown["roles"]] == ["annotator", "senior"]
    joined = accept(token, **NEW)
    assert (joined.status_code, joined.json()) == (200, {"slug": "cvlue", "username": "li.lei", "is_outsider": False})
    made = Person.objects.get(username="li.lei")
    assert (made.name, made.language, made.check_password(PASSWORD)) == ("李雷𠮷", "zh-Hant", True)
    assert sorted(made.role_grants.values_list("role", "granted_by")) == [
        ("annotator", here.admin.pk),
        ("senior", here.admin.pk),
    ]
    assert told(accept(token, **NEW | {"username": "second"})) == (410, "invitation_used")
    assert told(read(token)) == (410, "invitation_used")
    [listed] = send(signed_in(here.admin), "GET", f"{HERE}/invitations").json()["results"]
    assert (listed["state"], listed["used_by"]["name"], "token" in listed) == ("used", "李雷𠮷", False)
    event = AuditEvent.objects.get(action="invitation_accept")
    assert (event.actor_id, event.target_id, event.data["invited_by"]) == (made.pk, made.pk, here.admin.pk)


def test_somebody_signed_in_joins_with_their_account(here):
    token = invite(here.admin).json()["token"]
    assert told(accept(token, signed_in(here.admin))) == (403, "own_roles")  # not who made it
    joined = accept(token, signed_in(here.stranger))
    assert joined.json() == {"slug": "cvlue", "username": "stranger", "is_outsider": False}
    assert Person.objects.count() == 10
    assert send(signed_in(here.stranger), "GET", HERE).status_code == 200


def test_a_refused_account_leaves_the_link_open(here):
    token = invite(here.admin).json()["token"]
    assert told(accept(token, **NEW | {"username": "annotator"})) == (409, "username_taken")
    assert told(accept(token, **NEW | {"password": "12345678"})) == (422, "password_too_weak")
    assert told(accept(token)) == (400, "invalid_input")
    assert told(accept(token, **NEW, roles=["admin"])) == (400, "invalid_input")
    assert nobody_came()
    assert accept(token, **NEW).status_code == 200


def test_links_that_open_nothing(here):
    answer = invite(here.admin).json()
    revoked = send(signed_in(here.admin), "POST", f"invitations/{answer['id']}/revoke", {"client_key": key()})
    assert revoked.json()["state"] == "revoked"
    late = invite(here.admin).json()["token"]
    Invitation.objects.filter(revoked_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    for token, expected in (
        (answer["token"], (410, "invitation_revoked")),
        (late, (410, "invitation_expired")),
        ("x" * 43, (404, "invitation_unknown")),
        ("", (400, "invalid_input")),
        ("\0", (400, "invalid_input")),
    ):
        assert told(read(token)) == expected
        assert told(accept(token, **NEW)) == expected
    assert nobody_came()


def test_a_link_of_somebody_whose_role_ended_opens_nothing(here):
    token = invite(here.admin).json()["token"]
    RoleGrant.objects.filter(person=here.admin).update(ended_at=timezone.now())
    assert told(accept(token, **NEW)) == (410, "invitation_revoked")
    assert nobody_came()


def test_links_of_somebody_whose_role_ended_stay_closed_when_it_is_granted_again(here):
    maker = person("maker", here.benchmark, Role.ADMIN)
    links = [invite(maker).json()["token"] for _ in range(2)]
    others = invite(here.admin).json()["token"]
    assert accept(links[0], **NEW).status_code == 200
    grant = RoleGrant.objects.get(person=maker)
    services.end_role(actor=here.owner, grant_id=grant.pk, client_key=uuid.uuid4())
    services.grant_role(
        actor=here.owner, benchmark_slug="cvlue", person_id=maker.pk, role="admin", client_key=uuid.uuid4()
    )
    assert told(read(links[1])) == (410, "invitation_revoked")
    assert read(others).status_code == 200
    assert [link.state for link in Invitation.objects.order_by("pk")] == ["used", "revoked", "open"]


def test_links_stay_open_while_another_role_allows_them(here):
    maker = person("maker", here.benchmark, Role.ADMIN)
    link = invite(maker).json()["token"]
    extra = RoleGrant.objects.create(person=maker, benchmark=here.benchmark, role="senior")
    services.end_role(actor=here.owner, grant_id=extra.pk, client_key=uuid.uuid4())
    assert read(link).status_code == 200


@pytest.mark.parametrize("who", ["curator", "senior", "annotator", "contributor"])
def test_only_who_administers_invites(here, who):
    assert told(invite(getattr(here, who))) == (403, "operation_not_allowed")
    assert Invitation.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"roles": []}, (400, "invalid_input")),
        ({"roles": ["owner"]}, (422, "role_unknown")),
        ({"roles": ["painter"]}, (422, "role_unknown")),
        ({"lead": True}, (400, "invalid_input")),
        ({"team": 10**9}, (404, "not_found")),
        ({"team": 2**70}, (400, "invalid_input")),
    ],
)
def test_links_that_are_not_made(here, changes, expected):
    assert told(invite(here.admin, **changes)) == expected
    assert Invitation.objects.count() == 0


class TestTeams:
    @shared
    def team(self, here):
        team = Team.objects.create(benchmark=here.benchmark, name="四川", lead=here.contributor)
        RoleGrant.objects.filter(person=here.contributor).update(team=team)
        return team

    def test_an_invited_lead(self, here, team):
        token = invite(here.admin, roles=[], team=team.pk, lead=True).json()["token"]
        assert read(token).json()["team"] == {"id": team.pk, "name": "四川"}
        accept(token, **NEW)
        team.refresh_from_db()
        assert (team.lead.username, team.lead.role_grants.get().role) == ("li.lei", "contributor")

    def test_a_lead_invites_into_their_team_alone(self, here, team):
        lead, other = here.contributor, Team.objects.create(benchmark=here.benchmark, name="广东")
        refused = (403, "operation_not_allowed")
        assert told(invite(lead)) == refused
        assert told(invite(lead, roles=[], team=other.pk)) == refused
        assert told(invite(lead, roles=["admin"], team=team.pk)) == refused
        assert told(invite(lead, roles=["contributor"], team=team.pk, lead=True)) == refused
        assert Invitation.objects.count() == 0
        made = invite(lead, roles=["contributor"], team=team.pk)
        admins = invite(here.admin)
        rows = send(signed_in(lead), "GET", f"{HERE}/invitations").json()["results"]
        assert [row["id"] for row in rows] == [made.json()["id"]]
        revoke = f"invitations/{admins.json()['id']}/revoke"
        assert told(send(signed_in(lead), "POST", revoke, {"client_key": key()})) == (404, "not_found")
        Team.objects.filter(pk=team.pk).update(lead=None)
        assert told(accept(made.json()["token"], **NEW)) == (410, "invitation_revoked")
        assert nobody_came()

    def test_a_link_of_an_administrator_who_now_only_leads_gives_no_more_than_a_leads(self, here, team):
        maker = person("maker", here.benchmark, Role.ADMIN)
        RoleGrant.objects.create(person=maker, benchmark=here.benchmark, team=team, role="contributor")
        Team.objects.filter(pk=team.pk).update(lead=maker)
        wide = invite(maker, roles=["admin"], team=team.pk).json()["token"]
        another_lead = invite(maker, roles=["contributor"], team=team.pk, lead=True).json()["token"]
        narrow = invite(maker, roles=["contributor"], team=team.pk).json()["token"]
        grant = RoleGrant.objects.get(person=maker, role="admin")
        services.end_role(actor=here.owner, grant_id=grant.pk, client_key=uuid.uuid4())
        for token in (wide, another_lead):
            assert told(accept(token, **NEW)) == (410, "invitation_revoked")
        assert accept(narrow, **NEW).status_code == 200
        assert list(RoleGrant.objects.filter(person__username="li.lei").values_list("role", flat=True)) == [
            "contributor"
        ]

    def test_a_full_team(self, here, team):
        token = invite(here.admin, roles=["contributor"], team=team.pk).json()["token"]
        for who in (here.senior, here.senior2):
            RoleGrant.objects.create(person=who, benchmark=here.benchmark, team=team, role="contributor")
        assert told(accept(token, **NEW)) == (409, "team_full")
        assert told(invite(here.admin, roles=["contributor"], team=team.pk)) == (409, "team_full")
        assert nobody_came()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_joins():
    here = world(captions_protocol())
    _, token = services.create_invitation(
        actor=here.admin,
        benchmark_slug="cvlue",
        roles=["annotator"],
        team_id=None,
        lead=False,
        note="",
        client_key=uuid.uuid4(),
    )
    gate = threading.Barrier(4)

    def one(n):
        gate.wait()
        try:
            services.accept_invitation(
                actor=AnonymousUser(), token=token, username=f"new{n}", name="新", password=PASSWORD
            )
        except InvitationUsed:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [False, False, False, True]
    assert Person.objects.filter(username__startswith="new").count() == 1
    assert AuditEvent.objects.filter(action="invitation_accept").count() == 1


class TestPasswordLinks:
    def link(self, who, whom):
        return send(signed_in(who), "POST", f"{HERE}/people/{whom.pk}/password-link", {"client_key": key()})

    def use(self, token, password=PASSWORD * 2):
        return send(Client(), "POST", "password-links/use", {"token": token, "password": password})

    def test_it_sets_the_password_once_and_ends_the_sessions(self, here):
        browser = signed_in(here.annotator)
        body = {"name": "script", "operations": ["package_list"], "benchmark": "cvlue", "days": 7, "client_key": key()}
        script = f"Bearer {send(browser, 'POST', 'tokens', body).json()['token']}"
        assert send(Client(), "GET", f"{HERE}/packages", Authorization=script).status_code == 200
        older = self.link(here.admin, here.annotator).json()["token"]
        token = self.link(here.admin, here.annotator).json()["token"]
        assert read(token).json()["username"] == "annotator"
        assert told(self.use(older)) == (410, "invitation_revoked")
        assert told(self.use(token, "short")) == (422, "password_too_weak")
        assert browser.get("/api/v1/session").status_code == 200
        assert self.use(token).json() == {"username": "annotator"}
        assert told(self.use(token)) == (410, "invitation_used")
        assert browser.get("/api/v1/session").status_code == 401
        assert send(Client(), "GET", f"{HERE}/packages", Authorization=script).status_code == 401
        assert not PersonSession.objects.filter(person=here.annotator).exists()
        here.annotator.refresh_from_db()
        assert here.annotator.check_password(PASSWORD * 2)
        assert list(AuditEvent.objects.order_by("pk").values_list("action", "actor_id"))[-4:] == [
            ("password_link", here.admin.pk),
            ("invitation_revoke", here.admin.pk),
            ("password_link", here.admin.pk),
            ("password_set", here.annotator.pk),
        ]
        assert AuditEvent.objects.latest("pk").data["tokens_revoked"] == 1

    def test_only_for_who_is_wholly_within_ones_benchmarks(self, here):
        other = world(captions_protocol(), slug="other", prefix="o-")
        RoleGrant.objects.create(person=here.annotator, benchmark=other.benchmark, role=Role.ANNOTATOR)
        RoleGrant.objects.create(person=here.owner, benchmark=here.benchmark, role=Role.SENIOR)
        beyond = (403, "beyond_your_benchmarks")
        assert told(self.link(here.admin, here.annotator)) == beyond
        assert told(self.link(here.admin, here.owner)) == beyond
        assert told(self.link(here.admin, other.annotator)) == (404, "not_found")
        assert told(self.link(here.curator, here.senior)) == (403, "operation_not_allowed")
        assert Invitation.objects.count() == 0
        assert self.link(here.owner, here.annotator).status_code == 201

    def test_roles_won_since_close_the_link(self, here):
        other = world(captions_protocol(), slug="other", prefix="o-")
        token = self.link(here.admin, here.annotator).json()["token"]
        RoleGrant.objects.create(person=here.annotator, benchmark=other.benchmark, role=Role.ADMIN)
        assert told(self.use(token)) == (410, "invitation_revoked")
        here.annotator.refresh_from_db()
        assert here.annotator.check_password(PASSWORD)

    def test_neither_link_is_the_other(self, here):
        join = invite(here.admin).json()["token"]
        password = self.link(here.admin, here.annotator).json()["token"]
        assert told(self.use(join)) == (404, "invitation_unknown")
        assert told(accept(password, **NEW)) == (404, "invitation_unknown")
        assert nobody_came()


def test_tries_are_counted_by_address(here, settings):
    cache.clear()
    settings.LINK_TRIES_PER_MINUTE = 3
    token = invite(here.admin).json()["token"]
    tries = [read("x").status_code for _ in range(2)] + [
        send(Client(), "POST", "password-links/use", {"token": "x", "password": "y"}).status_code
    ]
    assert tries == [404, 404, 404]
    refused = send(Client(), "POST", "invitations/read", {"token": token}, **{"X-Forwarded-For": "1.2.3.4"})
    assert told(refused) == (429, "too_many_requests")
    assert int(refused["Retry-After"]) >= 1
    cache.clear()
    assert read(token).status_code == 200


def test_the_address_is_the_proxys_word_or_the_connection_and_an_ipv6_network_counts_once(here, settings):
    cache.clear()
    settings.LINK_TRIES_PER_MINUTE = 2

    def tries(*addresses):
        return [send(Client(), "POST", "invitations/read", {"token": "x"}, **a).status_code for a in addresses]

    claimed = [{"X-Forwarded-For": f"198.51.100.{n}"} for n in range(3)]
    assert tries(*claimed) == [404, 404, 429]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert tries(*claimed, *claimed) == [404] * 6
    assert tries(*({"X-Forwarded-For": f"1.2.3.{n}, 203.0.113.1"} for n in range(3))) == [404, 404, 429]
    assert tries(*({"X-Forwarded-For": f"2001:db8::{n}"} for n in range(3))) == [404, 404, 429]
    cache.clear()


def test_a_person_may_join_two_benchmarks(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    both = person("both", other.benchmark, Role.SENIOR)
    token = invite(here.admin).json()["token"]
    accept(token, signed_in(both))
    assert [b["slug"] for b in signed_in(both).get("/api/v1/session").json()["benchmarks"]] == ["cvlue", "other"]
