"""Protocol versions that change what roles may do: proposed by one administrator, adopted by another or the owner."""

import threading
import uuid

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from curation.benchmarks.errors import ProposalClosed, ProtocolLocked, RolesGain, StaleProtocol
from curation.benchmarks.models import ProtocolProposal, ProtocolVersion
from curation.benchmarks.rules import LEADS, RoleChange, gaining, role_changes
from curation.core.errors import ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.people.errors import AdministratorsPassword, InvitationRevoked
from curation.people.models import Invitation, Notice, Person, RoleGrant
from curation.people.services import (
    accept_invitation,
    create_invitation,
    create_password_link,
    end_role,
    grant_role,
    set_password,
)
from curation.taxonomy import queries
from curation.taxonomy.services import adopt_protocol, create_benchmark, propose_protocol, withdraw_proposal
from tests.curation.taxonomy.test_protocols import CVLUE, STRICTER, TITLE, begin_work, send
from tests.people import PASSWORD, Role, key, person, signed_in

pytestmark = pytest.mark.django_db
SENIORS = "capabilities: [review]"
WIDER = CVLUE.replace(SENIORS, "capabilities: [review, inspect]")
NARROWER = CVLUE.replace("capabilities: [collect, inspect_images, inspect]", "capabilities: [collect, inspect_images]")
NEW_ROLE = CVLUE.replace(
    "\nteams: null",
    "  - {code: helper, name: {zh-Hans: 助手, zh-Hant: 助手, en: Helper}, capabilities: [administer]}\n\nteams: null",
)


@pytest.fixture
def owner():
    return person("owner", None, Role.OWNER)


@pytest.fixture
def lanterns(owner):
    return create_benchmark(actor=owner, slug="lanterns", title=TITLE, preset="cvlue", client_key=uuid.uuid4())


@pytest.fixture
def admin(lanterns):
    return person("admin", lanterns, "admin")


@pytest.fixture
def second(lanterns):
    return person("second", lanterns, "admin")


def adopt(actor, text=WIDER, base=1, client_key=None):
    return adopt_protocol(
        actor=actor, benchmark_slug="lanterns", text=text, base_version=base, client_key=client_key or uuid.uuid4()
    )


def propose(actor, text=WIDER, base=1, client_key=None):
    return propose_protocol(
        actor=actor, benchmark_slug="lanterns", text=text, base_version=base, client_key=client_key or uuid.uuid4()
    )


def withdraw(actor, proposal, client_key=None):
    return withdraw_proposal(actor=actor, proposal_id=proposal.pk, client_key=client_key or uuid.uuid4())


def nothing_changed(benchmark, proposals=0):
    benchmark.refresh_from_db()
    return (
        benchmark.protocol.version == 1
        and ProtocolVersion.objects.count() == 1
        and ProtocolProposal.objects.count() == proposals
        and not AuditEvent.objects.filter(action="protocol_adopt").exists()
    )


# --- rules ------------------------------------------------------------------------------------------------------------


def content(roles=(), teams=None):
    return {
        "roles": [{"code": code, "name": {"en": code}, "capabilities": list(held)} for code, held in roles],
        "teams": teams,
    }


def test_what_each_role_gains_and_loses():
    before = content([("admin", ["administer", "collect"]), ("senior", ["review"]), ("past", ["inspect", "collect"])])
    after = content([("helper", ["administer"]), ("admin", ["administer"]), ("senior", ["review", "inspect"])])
    assert role_changes(before, after) == [
        RoleChange("helper", {"en": "helper"}, ("administer",), ()),
        RoleChange("admin", {"en": "admin"}, (), ("collect",)),
        RoleChange("senior", {"en": "senior"}, ("inspect",), ()),
        RoleChange("past", {"en": "past"}, (), ("collect", "inspect")),
    ]
    assert gaining(role_changes(before, after)) == ["helper", "senior"]
    assert role_changes(before, before) == []


def test_a_capability_for_one_kind_is_part_of_that_for_every_kind():
    every, one = content([("writer", ["annotate"])]), content([("writer", ["annotate:captions"])])
    assert role_changes(every, one) == [RoleChange("writer", {"en": "writer"}, (), ("annotate",))]
    assert role_changes(one, every) == [RoleChange("writer", {"en": "writer"}, ("annotate",), ())]


def test_leads_of_teams_gain_the_roles_they_may_invite_with():
    def teams(roles, invite):
        return content(teams={"roles": roles, "lead_may_invite": invite, "size_maximum": 3})

    assert role_changes(content(), teams(["annotator"], True)) == [RoleChange(LEADS, None, ("annotator",), ())]
    assert role_changes(content(), teams(["annotator"], False)) == []
    assert role_changes(teams(["annotator"], True), teams(["annotator", "admin"], True))[0].gained == ("admin",)
    assert role_changes(teams(["annotator"], True), teams(["annotator"], False))[0].lost == ("annotator",)


# --- adopting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [WIDER, NEW_ROLE], ids=["wider", "new role"])
def test_an_administrator_alone_gives_no_role_more_rights(lanterns, admin, text):
    with pytest.raises(RolesGain) as refused:
        adopt(admin, text)
    assert refused.value.params == {"roles": ["senior" if text is WIDER else "helper"]}
    proposal = propose(admin, text)
    with pytest.raises(RolesGain):  # one's own proposal is no second opinion
        adopt(admin, text)
    assert nothing_changed(lanterns, proposals=1)
    proposal.refresh_from_db()
    assert (proposal.adopted_as, proposal.withdrawn_at) == (None, None)


def test_the_owner_adopts_alone(lanterns, owner):
    assert adopt(owner).version == 2


def test_taking_rights_away_needs_one_person_and_tells_the_others(lanterns, admin, second, owner):
    made = adopt(admin, NARROWER)
    assert AuditEvent.objects.get(action="protocol_adopt").data["roles_changed"] == ["curator"]
    told = Notice.objects.order_by("person_id").values_list(
        "person__username", "code", "params", "target_type", "target_id", "actor__username"
    )
    params = {"version": 2, "before": 1}
    assert sorted(told) == [
        ("owner", "roles_changed", params, "protocol", made.pk, "admin"),
        ("second", "roles_changed", params, "protocol", made.pk, "admin"),
    ]


def test_a_version_that_leaves_roles_alone_tells_nobody(lanterns, admin, second):
    adopt(admin, STRICTER)
    assert not Notice.objects.exists()


def test_a_second_administrator_adopts_what_one_proposed(lanterns, admin, second):
    proposal = propose(admin)
    (notice,) = Notice.objects.filter(person=second)
    assert (notice.code, notice.params, notice.target_type, notice.target_id) == (
        "protocol_proposed",
        {"version": 2},
        "protocol_proposal",
        proposal.pk,
    )
    made = adopt(second)
    proposal.refresh_from_db()
    assert (made.version, made.created_by_id, proposal.adopted_as_id) == (2, second.pk, made.pk)
    data = AuditEvent.objects.get(action="protocol_adopt").data
    assert (data["roles_changed"], data["proposed_by"]) == (["senior"], [admin.pk])
    senior = person("senior", lanterns, "senior")
    assert senior.grants[0].capabilities == ("review", "inspect")


def test_two_who_propose_the_same_text_may_each_adopt_it(lanterns, admin, second):
    mine = propose(admin)
    assert not queries.proposal_page(admin, mine.pk)["may_adopt"]
    propose(second)
    assert queries.proposal_page(admin, mine.pk)["may_adopt"]
    assert not queries.check_text(admin, WIDER, "lanterns")["effect"]["needs_second"]
    assert adopt(admin).version == 2
    assert set(ProtocolProposal.objects.values_list("adopted_as__version", flat=True)) == {2}


def test_another_text_than_the_proposed_one_is_not_confirmed(lanterns, admin, second):
    propose(admin)
    with pytest.raises(RolesGain):
        adopt(second, WIDER + "\n# a remark\n")
    assert nothing_changed(lanterns, proposals=1)


def test_a_proposal_of_somebody_who_no_longer_administers_does_not_count(lanterns, admin, second, owner):
    propose(admin)
    end_role(actor=owner, grant_id=RoleGrant.objects.get(person=admin).pk, client_key=uuid.uuid4())
    (proposal,) = ProtocolProposal.objects.all()
    assert not queries.proposal_page(second, proposal.pk)["may_adopt"]
    with pytest.raises(RolesGain):
        adopt(second)
    assert nothing_changed(lanterns, proposals=1)


@pytest.fixture
def appointed(admin, owner):
    """An administrator appointed by the owner, who is a second person beside ``admin``."""
    RoleGrant.objects.filter(person=admin).update(granted_by=owner)
    return admin


def own_account(admin, lanterns):
    """A further account that an administrator made an administrator by a link of their own."""
    made, secret = create_invitation(
        actor=admin, benchmark_slug=lanterns.slug, roles=["admin"], client_key=uuid.uuid4()
    )
    assert made.roles == ["admin"]
    fresh = {"username": f"{admin.username}-too", "name": "x", "password": PASSWORD}
    _, person = accept_invitation(actor=AnonymousUser(), token=secret or "", **fresh)
    return person


def test_an_account_that_an_administrator_appointed_is_no_second_person(lanterns, appointed, second):
    first, other = own_account(appointed, lanterns), own_account(second, lanterns)
    mine = propose(appointed)
    for actor in (first, other):
        assert not queries.proposal_page(actor, mine.pk)["may_adopt"]
        with pytest.raises(RolesGain):
            adopt(actor)
    withdraw(appointed, mine)
    theirs = propose(first)
    assert not queries.proposal_page(appointed, theirs.pk)["may_adopt"]
    assert queries.check_text(appointed, WIDER, "lanterns")["effect"]["needs_second"]
    for actor in (appointed, other):
        with pytest.raises(RolesGain):
            adopt(actor)
    assert nothing_changed(lanterns, proposals=2)
    propose(second)
    assert adopt(appointed).version == 2
    assert AuditEvent.objects.get(action="protocol_adopt").data["proposed_by"] == sorted([first.pk, second.pk])


def test_a_former_administrator_whom_another_appoints_again_is_no_second_person(lanterns, appointed, second, owner):
    end_role(actor=owner, grant_id=RoleGrant.objects.get(person=second).pk, client_key=uuid.uuid4())
    again = {"benchmark_slug": "lanterns", "person_id": second.pk, "role": "admin"}
    grant_role(actor=appointed, **again, client_key=uuid.uuid4())
    second.grants = None
    propose(appointed)
    with pytest.raises(RolesGain):
        adopt(second)
    # The owner's word counts, for a role that the owner grants.
    end_role(actor=owner, grant_id=RoleGrant.objects.get(person=second, ended_at=None).pk, client_key=uuid.uuid4())
    grant_role(actor=owner, **again, client_key=uuid.uuid4())
    second.grants = None
    assert adopt(second).version == 2


def test_an_administrator_signs_in_as_no_other(lanterns, appointed, second, owner):
    def link(actor):
        return create_password_link(
            actor=actor, benchmark_slug="lanterns", person_id=second.pk, client_key=uuid.uuid4()
        )[1]

    with pytest.raises(AdministratorsPassword):
        link(appointed)
    assert not Invitation.objects.exists()
    # A link that was made while the person did not administer opens nothing once they do.
    RoleGrant.objects.filter(person=second).update(role="annotator")
    early = link(appointed)
    RoleGrant.objects.filter(person=second).update(role="admin")
    with pytest.raises(InvitationRevoked):
        set_password(actor=AnonymousUser(), token=early, password=PASSWORD * 2)
    second.refresh_from_db()
    assert second.check_password(PASSWORD)
    assert set_password(actor=AnonymousUser(), token=link(owner), password=PASSWORD * 2).pk == second.pk


@pytest.mark.parametrize("by_owner", [False, True])
def test_whose_password_an_administrator_set_since_is_no_second_person(lanterns, appointed, second, owner, by_owner):
    """The role did not administer at that time, so an administrator could create the link."""
    RoleGrant.objects.filter(person=second).update(role="annotator", granted_by=owner)
    link = {"benchmark_slug": "lanterns", "person_id": second.pk, "client_key": uuid.uuid4()}
    _, secret = create_password_link(actor=owner if by_owner else appointed, **link)
    set_password(actor=AnonymousUser(), token=secret, password=PASSWORD * 2)
    RoleGrant.objects.filter(person=second).update(role="admin")
    second.grants = None
    propose(appointed)
    if by_owner:
        assert adopt(second).version == 2
    else:
        with pytest.raises(RolesGain):
            adopt(second)
        assert nothing_changed(lanterns, proposals=1)


def test_a_proposal_is_for_the_version_it_was_written_on(lanterns, admin, second):
    proposal = propose(admin)
    adopt(second, STRICTER)
    with pytest.raises(StaleProtocol):
        adopt(second)
    with pytest.raises(RolesGain):
        adopt(second, base=2)
    with pytest.raises(ProposalClosed) as refused:
        withdraw(second, proposal)
    assert refused.value.params == {"state": "outdated"}


# --- proposing and withdrawing ----------------------------------------------------------------------------------------


def test_the_same_key_proposes_once_and_a_new_proposal_replaces_ones_own(lanterns, admin, second):
    client_key = uuid.uuid4()
    first = propose(admin, client_key=client_key)
    assert propose(admin, client_key=client_key).pk == first.pk
    with pytest.raises(ClientKeyReused):
        propose(admin, NEW_ROLE, client_key=client_key)
    others = propose(second, NEW_ROLE)
    replaced = propose(admin, NEW_ROLE)
    first.refresh_from_db()
    assert first.withdrawn_by_id == admin.pk
    open_ones = ProtocolProposal.objects.filter(withdrawn_at=None)
    assert set(open_ones.values_list("pk", flat=True)) == {others.pk, replaced.pk}


def test_what_cannot_be_adopted_cannot_be_proposed(lanterns, admin):
    with pytest.raises(StaleProtocol):
        propose(admin, base=2)
    begin_work(lanterns, admin)
    with pytest.raises(ProtocolLocked):
        propose(admin, WIDER.replace("slots: 5", "slots: 4"))
    with pytest.raises(OperationNotAllowed):
        propose(person("curator", lanterns, "curator"))
    assert nothing_changed(lanterns)


def test_administrators_withdraw_their_own_and_others_proposals(lanterns, admin, second):
    proposal, client_key = propose(admin), uuid.uuid4()
    with pytest.raises(OperationNotAllowed):
        withdraw(person("curator", lanterns, "curator"), proposal)
    with pytest.raises(NotFound):
        withdraw(Person.objects.create_person(username="stranger", name="x", password=None), proposal)
    withdrawn = withdraw(second, proposal, client_key)
    assert withdraw(second, proposal, client_key).pk == withdrawn.pk
    assert withdrawn.withdrawn_by_id == second.pk
    with pytest.raises(ProposalClosed) as refused:
        withdraw(admin, proposal)
    assert refused.value.params == {"state": "rejected"}
    (notice,) = Notice.objects.filter(person=admin)
    assert (notice.code, notice.params, notice.actor_id) == ("proposal_rejected", {"version": 2}, second.pk)
    assert (notice.target_type, notice.target_id) == ("protocol_proposal", proposal.pk)
    Notice.objects.all().delete()
    mine = withdraw(admin, propose(admin, NEW_ROLE))
    assert queries.proposal_page(admin, mine.pk)["state"] == "withdrawn"
    assert not Notice.objects.filter(code="proposal_rejected").exists()
    with pytest.raises(RolesGain):
        adopt(second)
    logged = AuditEvent.objects.filter(action="protocol_proposal_withdraw").order_by("pk")
    assert [event.data["rejected"] for event in logged] == [True, False]
    assert nothing_changed(lanterns, proposals=2)


# --- over HTTP --------------------------------------------------------------------------------------------------------


def test_from_proposal_to_version_over_http(lanterns, admin, second, django_assert_num_queries):
    theirs, others = signed_in(admin), signed_in(second)
    seniors = {
        "role": "senior",
        "name": {"zh-Hans": "高级审核员", "zh-Hant": "資深審核員", "en": "Senior inspector"},
        "gained": ["inspect"],
        "lost": [],
    }
    effect = send(theirs, "protocol-checks", text=WIDER, benchmark="lanterns").json()["effect"]
    assert (effect["needs_second"], effect["role_changes"]) == (True, [seniors])
    body = {"text": WIDER, "base_version": 1, "client_key": key()}
    refused = send(theirs, "benchmarks/lanterns/protocols", **body)
    assert (refused.status_code, refused.json()["code"]) == (409, "roles_gain")
    proposed = send(theirs, "benchmarks/lanterns/protocol-proposals", **body | {"client_key": key()})
    assert proposed.status_code == 201, proposed.json()
    told = proposed.json()
    assert (told["state"], told["is_own"], told["may_adopt"], told["role_changes"]) == ("open", True, False, [seniors])
    with django_assert_num_queries(3):  # session, benchmark, proposals
        (listed,) = others.get("/api/v1/benchmarks/lanterns/protocol-proposals").json()
    assert (listed["id"], listed["version"], listed["proposed_by"]["name"]) == (told["id"], 2, "admin 名")
    # session, proposal, the version it was written on, who proposes the same text, their roles, who appointed both
    with django_assert_num_queries(8):  # one of them for the kinds that have items
        shown = others.get(f"/api/v1/protocol-proposals/{told['id']}").json()
    assert (shown["may_adopt"], shown["source"]) == (True, WIDER)
    assert [change["path"] for change in shown["changes"]] == ["roles.senior.capabilities"]
    adopted = send(others, "benchmarks/lanterns/protocols", **body | {"client_key": key()})
    assert adopted.status_code == 201, adopted.json()
    compared = others.get("/api/v1/benchmarks/lanterns/protocols/2/compare?with=1").json()
    assert compared["role_changes"] == [seniors]
    assert others.get("/api/v1/benchmarks/lanterns/protocol-proposals").json() == []
    assert others.get(f"/api/v1/protocol-proposals/{told['id']}").json()["state"] == "adopted"
    late = send(theirs, f"protocol-proposals/{told['id']}/withdraw", client_key=key())
    assert (late.status_code, late.json()["code"], late.json()["params"]) == (
        409,
        "proposal_closed",
        {"state": "adopted"},
    )
    assert theirs.get("/api/v1/protocol-proposals/999999").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_of_adopting_and_withdrawing_at_the_same_moment_one_wins(lanterns, admin, second):
    proposal = propose(admin)
    gate, outcomes = threading.Barrier(2), []

    def press(act):
        gate.wait()
        try:
            outcomes.append(act())
        except (RolesGain, ProposalClosed) as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    acts = (lambda: adopt(second).version, lambda: withdraw(admin, proposal).withdrawn_at is not None)
    threads = [threading.Thread(target=press, args=[act]) for act in acts]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert sorted(map(str, outcomes)) in (["2", "proposal_closed"], ["True", "roles_gain"])
    proposal.refresh_from_db()
    assert (proposal.adopted_as is None) is (proposal.withdrawn_at is not None)
