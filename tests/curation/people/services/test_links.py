"""Links are revoked, and that is in the audit log, when their creator may no longer create them."""

import json
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from curation.benchmarks.models import ProtocolVersion
from curation.core.models import AuditEvent
from curation.people import services
from curation.people.errors import InvitationRevoked, PasswordTooWeak
from curation.people.models import Invitation, RoleGrant, Team
from curation.people.services import invitations, passwords
from curation.taxonomy.services import adopt_protocol, create_benchmark
from tests.curation.taxonomy.test_protocols import CVLUE, TITLE
from tests.people import PASSWORD, Role, person, world
from tests.protocols import captions_protocol
from tests.shared import shared

TEAMS = {"teams": {"size_maximum": 9, "roles": ["contributor"], "lead_may_invite": True}}


@shared
def here():
    return world(captions_protocol() | TEAMS)


@pytest.fixture
def team(here):
    made = Team.objects.create(benchmark=here.benchmark, name="四川", lead=here.contributor)
    RoleGrant.objects.filter(person__in=[here.contributor, here.annotator]).update(team=made)
    return made


def invite(actor, **named):
    arguments = {"benchmark_slug": "cvlue", "client_key": uuid.uuid4()} | named
    return services.create_invitation(actor=actor, **arguments)


def password_link(actor, whom):
    return services.create_password_link(
        actor=actor, benchmark_slug="cvlue", person_id=whom.pk, client_key=uuid.uuid4()
    )


def lead_by(here, team, lead_id):
    services.update_team(actor=here.admin, team_id=team.pk, lead_id=lead_id, changes_lead=True, client_key=uuid.uuid4())


def states():
    return [link.state for link in Invitation.objects.order_by("pk")]


def logged():
    rows = AuditEvent.objects.filter(action="invitation_revoke").order_by("pk")
    return [(e.actor_id, e.target_type, e.target_id, e.state_from, e.state_to, e.data) for e in rows]


def test_a_former_lead_has_no_links_left(here, team):
    mine, secret = invite(here.contributor, roles=["contributor"], team_id=team.pk)
    invite(here.admin, roles=["contributor"], team_id=team.pk)
    lead_by(here, team, here.annotator.pk)
    assert states() == ["revoked", "open"]
    told = {"roles": ["contributor"], "team_id": team.pk, "lead": False, "cause": "team_update"}
    assert logged() == [(here.admin.pk, "invitation", mine.pk, "open", "revoked", told)]
    lead_by(here, team, here.contributor.pk)  # the lead again, and the link stays revoked
    with pytest.raises(InvitationRevoked):
        services.accept_invitation(actor=here.annotator2, token=secret)


def test_a_renamed_team_and_the_same_lead_keep_their_links(here, team):
    invite(here.contributor, roles=["contributor"], team_id=team.pk)
    services.update_team(actor=here.admin, team_id=team.pk, name="成都", client_key=uuid.uuid4())
    lead_by(here, team, here.contributor.pk)
    assert (states(), logged()) == (["open"], [])


def test_a_lead_of_two_teams_keeps_the_links_into_the_other(here, team):
    other = Team.objects.create(benchmark=here.benchmark, name="广东", lead=here.contributor)
    RoleGrant.objects.create(person=here.contributor, benchmark=here.benchmark, team=other, role="contributor")
    for each in (team, other):
        invite(here.contributor, roles=["contributor"], team_id=each.pk)
    lead_by(here, team, None)
    assert states() == ["revoked", "open"]


def test_a_lead_who_joins_by_a_link_replaces_the_former_one_and_their_links(here, team):
    mine, _ = invite(here.contributor, roles=["contributor"], team_id=team.pk)
    _, secret = invite(here.admin, roles=["contributor"], team_id=team.pk, lead=True)
    services.accept_invitation(actor=here.annotator2, token=secret)
    assert states() == ["revoked", "used"]
    assert [(e[0], e[2], e[5]["cause"]) for e in logged()] == [(here.annotator2.pk, mine.pk, "invitation_accept")]


def test_links_of_an_ended_role_are_logged(here):
    maker = person("maker", here.benchmark, Role.ADMIN)
    joins, _ = invite(maker, roles=["annotator"])
    password, _ = password_link(maker, here.annotator)
    grant = RoleGrant.objects.get(person=maker)
    services.end_role(actor=here.owner, grant_id=grant.pk, client_key=uuid.uuid4())
    assert [(e[0], e[2], e[5]) for e in logged()] == [
        (here.owner.pk, joins.pk, {"roles": ["annotator"], "team_id": None, "lead": False, "cause": "role_end"}),
        (here.owner.pk, password.pk, {"person_id": here.annotator.pk, "cause": "role_end"}),
    ]


def test_a_password_link_that_replaces_another_is_logged(here):
    first, _ = password_link(here.admin, here.annotator)
    password_link(here.admin, here.annotator)
    assert states() == ["revoked", "open"]
    assert [(e[2], e[5]["cause"]) for e in logged()] == [(first.pk, "password_link")]


def test_links_of_and_for_a_closed_account_stay_revoked_when_it_is_opened(here):
    maker = person("maker", here.benchmark, Role.ADMIN)
    _, joins = invite(maker, roles=["annotator"])
    _, password = password_link(here.admin, here.annotator)
    for who in (maker, here.annotator):
        services.close_account(actor=here.owner, person_id=who.pk, client_key=uuid.uuid4())
        services.open_account(actor=here.owner, person_id=who.pk, client_key=uuid.uuid4())
    assert (states(), len(logged())) == (["revoked", "revoked"], 2)
    with pytest.raises(InvitationRevoked):
        services.accept_invitation(actor=here.annotator2, token=joins)
    with pytest.raises(InvitationRevoked):
        services.set_password(actor=AnonymousUser(), token=password, password=PASSWORD * 2)


ADMIN = "capabilities: [administer, collect, inspect_images]"
CURATOR = "capabilities: [collect, inspect_images, inspect]"
# Somebody has to administer.
OTHERS_ADMINISTER = CVLUE.replace(CURATOR, "capabilities: [administer, inspect]").replace(ADMIN, CURATOR)


@pytest.mark.django_db
def test_a_version_that_takes_the_right_away_revokes_links():
    owner = person("owner", None, Role.OWNER)
    benchmark = create_benchmark(actor=owner, slug="cvlue", title=TITLE, preset="cvlue", client_key=uuid.uuid4())
    maker = person("maker", benchmark, Role.ADMIN)
    mine, secret = invite(maker, roles=["annotator"])
    theirs, _ = invite(owner, roles=["annotator"])

    def adopt(text, base):
        named = {"benchmark_slug": "cvlue", "text": text, "base_version": base}
        adopt_protocol(actor=owner, **named, client_key=uuid.uuid4())

    adopt(OTHERS_ADMINISTER, 1)
    assert states() == ["revoked", "open"]
    assert [(e[0], e[2], e[5]["cause"]) for e in logged()] == [(owner.pk, mine.pk, "protocol_adopt")]
    adopt(CVLUE, 2)  # the role has the right again, and the link stays revoked
    assert ProtocolVersion.objects.count() == 3
    assert Invitation.objects.get(pk=theirs.pk).state == "open"
    with pytest.raises(InvitationRevoked):
        services.accept_invitation(actor=person("new", None), token=secret)


@contextmanager
def waiting_inside(monkeypatch, module, name):
    """Let the next call of ``module.name`` wait until the block ends.

    Yields a function that waits until that call was made.
    """
    called, ended = threading.Event(), threading.Event()
    original = getattr(module, name)

    def waits(*arguments, **named):
        called.set()
        assert ended.wait(20)
        return original(*arguments, **named)

    monkeypatch.setattr(module, name, waits)
    try:
        yield lambda: called.wait(20)
    finally:
        ended.set()


def in_thread(pool, function, **named):
    def run():
        try:
            return function(**named)
        finally:
            connection.close()

    return pool.submit(run)


def wait_until_a_statement_waits_for_a_lock():
    """Wait until a connection to this database waits for another one's lock."""
    query = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute(query)
            if cursor.fetchone():
                return
        time.sleep(0.01)
    raise AssertionError("nothing waits for a lock")


def with_teams(text):
    """The protocol's text with the teams of ``TEAMS``."""
    return text.replace("\nteams: null", f"\nteams: {json.dumps(TEAMS['teams'])}")


REVOKING = {
    "role_end": lambda here, maker: (
        services.end_role,
        {"actor": here.owner, "grant_id": RoleGrant.objects.get(person=maker).pk},
    ),
    "account_close": lambda here, maker: (services.close_account, {"actor": here.owner, "person_id": maker.pk}),
    "protocol_adopt": lambda here, maker: (
        adopt_protocol,
        {"actor": here.owner, "benchmark_slug": "cvlue", "text": OTHERS_ADMINISTER, "base_version": 1},
    ),
}


@pytest.mark.parametrize("cause", REVOKING)
@pytest.mark.django_db(transaction=True)
def test_a_link_whose_use_fails_meanwhile_is_revoked(monkeypatch, cause):
    owner = person("owner", None, Role.OWNER)
    benchmark = create_benchmark(actor=owner, slug="cvlue", title=TITLE, preset="cvlue", client_key=uuid.uuid4())
    maker, member = person("maker", benchmark, Role.ADMIN), person("member", benchmark, Role.ANNOTATOR)
    link, secret = password_link(maker, member)
    revoke, named = REVOKING[cause](SimpleNamespace(owner=owner), maker)
    with ThreadPoolExecutor(2) as pool:
        with waiting_inside(monkeypatch, passwords, "check_password") as wait_until_it_is_used:
            use = in_thread(pool, services.set_password, actor=AnonymousUser(), token=secret, password="short")
            assert wait_until_it_is_used()
            revocation = in_thread(pool, revoke, **named, client_key=uuid.uuid4())
            wait_until_a_statement_waits_for_a_lock()
        with pytest.raises(PasswordTooWeak):
            use.result(20)
        revocation.result(20)
    assert Invitation.objects.get(pk=link.pk).state == "revoked"
    assert [(e[2], e[5]["cause"]) for e in logged()] == [(link.pk, cause)]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda here, team: (
                adopt_protocol,
                {
                    "actor": here.owner,
                    "benchmark_slug": "cvlue",
                    "text": with_teams(OTHERS_ADMINISTER),
                    "base_version": 1,
                },
            ),
            id="protocol_adopt",
        ),
        pytest.param(
            lambda here, team: (
                services.update_team,
                {"actor": here.owner, "team_id": team.pk, "changes_lead": True},
            ),
            id="team_update",
        ),
        pytest.param(
            lambda here, team: (services.close_team, {"actor": here.owner, "team_id": team.pk}), id="team_close"
        ),
        pytest.param(
            lambda here, team: (services.close_account, {"actor": here.owner, "person_id": here.maker.pk}),
            id="account_close",
        ),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_using_a_link_and_revoking_links_never_wait_for_each_other(monkeypatch, change):
    owner = person("owner", None, Role.OWNER)
    text = with_teams(CVLUE)
    benchmark = create_benchmark(actor=owner, slug="cvlue", title=TITLE, text=text, client_key=uuid.uuid4())
    maker, lead = person("maker", benchmark, Role.ADMIN), person("lead", benchmark, Role.CONTRIBUTOR)
    team = Team.objects.create(benchmark=benchmark, name="四川", lead=lead)
    RoleGrant.objects.filter(person=lead).update(team=team)
    invite(lead, roles=["contributor"], team_id=team.pk)
    invite(maker, roles=["contributor"], team_id=team.pk)
    link, secret = invite(maker, roles=["contributor"], team_id=team.pk, lead=True)
    function, named = change(SimpleNamespace(owner=owner, maker=maker), team)
    new = person("new", None)
    with ThreadPoolExecutor(2) as pool:
        with waiting_inside(monkeypatch, invitations, "grant_roles") as wait_until_it_is_used:
            use = in_thread(pool, services.accept_invitation, actor=new, token=secret)
            assert wait_until_it_is_used()
            revocation = in_thread(pool, function, **named, client_key=uuid.uuid4())
            wait_until_a_statement_waits_for_a_lock()
        use.result(20)
        revocation.result(20)
    assert Invitation.objects.get(pk=link.pk).state == "used"


def test_an_ended_role_revokes_password_links_for_its_benchmarks_members_made_in_another(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    maker = person("maker", here.benchmark, Role.ADMIN)
    grant = RoleGrant.objects.create(person=maker, benchmark=other.benchmark, role=Role.ADMIN)
    RoleGrant.objects.create(person=here.annotator, benchmark=other.benchmark, role=Role.ANNOTATOR)
    password_link(maker, here.annotator)
    services.end_role(actor=here.owner, grant_id=grant.pk, client_key=uuid.uuid4())
    assert states() == ["revoked"]
