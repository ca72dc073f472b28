"""Teams: bounded by the protocol, led by a member, closed with the roles held in them."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction

from curation.core.models import AuditEvent
from curation.people import services
from curation.people.errors import PairTaken, TeamFull
from curation.people.models import RoleGrant, Team
from tests.people import key, send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

HERE = "benchmarks/cvlue"


def team_world(**teams):
    return world(
        captions_protocol() | {"teams": {"size_maximum": 2, "roles": ["contributor"], "lead_may_invite": True} | teams}
    )


@shared
def here():
    return team_world()


def make(here, name="四川"):
    return services.create_team(actor=here.admin, benchmark_slug="cvlue", name=name, client_key=uuid.uuid4())


def join(here, team, *people):
    for who in people:
        services.grant_role(
            actor=here.admin,
            benchmark_slug="cvlue",
            person_id=who.pk,
            role="contributor",
            team_id=team.pk,
            client_key=uuid.uuid4(),
        )


def test_made_named_led(here):
    admin = signed_in(here.admin)
    made = send(admin, "POST", f"{HERE}/teams", {"name": " 四川 ", "client_key": key()})
    assert (made.status_code, made.json()["name"], made.json()["size_maximum"]) == (201, "四川", 2)
    team = Team.objects.get()
    assert told(send(admin, "POST", f"{HERE}/teams", {"name": "四川", "client_key": key()})) == (409, "team_name_taken")
    lead = send(admin, "PATCH", f"teams/{team.pk}", {"lead": here.annotator.pk, "client_key": key()})
    assert told(lead) == (422, "not_a_member")
    join(here, team, here.annotator)
    lead = send(admin, "PATCH", f"teams/{team.pk}", {"lead": here.annotator.pk, "client_key": key()})
    assert lead.json()["lead"] == {"id": here.annotator.pk, "name": "annotator 名"}
    assert lead.json()["members"] == [{"id": here.annotator.pk, "name": "annotator 名", "roles": ["contributor"]}]
    mine = signed_in(here.annotator).get("/api/v1/session").json()["benchmarks"][0]
    assert mine["teams"] == [{"id": team.pk, "name": "四川", "lead": True}]
    assert "invitation_create" in mine["operations"]
    renamed = send(admin, "PATCH", f"teams/{team.pk}", {"name": "成都", "client_key": key()}).json()
    assert (renamed["name"], renamed["lead"]["id"]) == ("成都", here.annotator.pk)
    # The log names the team as it is called now, and holds no name itself.
    rows = send(admin, "GET", f"{HERE}/audit?target_type=team").json()["results"]
    assert {row["label"] for row in rows} == {"成都"}
    assert "四川" not in str(list(AuditEvent.objects.values()))


def test_a_full_team_takes_nobody_more_but_its_members_other_roles(here):
    team = make(here)
    join(here, team, here.annotator, here.annotator2)
    body = {"role": "contributor", "team": team.pk, "client_key": key()}
    full = send(signed_in(here.admin), "POST", f"{HERE}/people/{here.senior.pk}/roles", body)
    assert (*told(full), full.json()["params"]) == (409, "team_full", {"maximum": 2})
    assert RoleGrant.objects.filter(team=team).count() == 2
    body = {"role": "annotator", "team": team.pk, "client_key": key()}
    assert send(signed_in(here.admin), "POST", f"{HERE}/people/{here.annotator.pk}/roles", body).status_code == 200


def test_who_leaves_leads_no_more(here):
    team = make(here)
    join(here, team, here.annotator)
    Team.objects.update(lead=here.annotator)
    grant = RoleGrant.objects.get(team=team)
    services.end_role(actor=here.admin, grant_id=grant.pk, client_key=uuid.uuid4())
    team.refresh_from_db()
    assert team.lead is None


def test_closing_ends_the_roles_held_in_it_and_frees_the_name(here):
    team = make(here)
    join(here, team, here.annotator)
    closed = send(signed_in(here.admin), "POST", f"teams/{team.pk}/close", {"client_key": key()})
    assert (closed.status_code, closed.json()["closed"], closed.json()["members"]) == (200, True, [])
    assert not RoleGrant.objects.filter(team=team, ended_at=None).exists()
    assert RoleGrant.objects.filter(person=here.annotator, ended_at=None).count() == 1  # the one outside the team
    assert send(signed_in(here.admin), "GET", f"{HERE}/teams").json() == []
    make(here)
    event = AuditEvent.objects.get(action="team_close")
    assert event.data == {"ended": [{"person_id": here.annotator.pk, "role": "contributor"}]}


def test_members_see_their_own_team_only(here):
    mine, other = make(here), make(here, "广东")
    join(here, mine, here.annotator)
    assert [t["id"] for t in send(signed_in(here.annotator), "GET", f"{HERE}/teams").json()] == [mine.pk]
    assert [t["id"] for t in send(signed_in(here.admin), "GET", f"{HERE}/teams").json()] == [mine.pk, other.pk]
    assert [t["id"] for t in send(signed_in(here.curator), "GET", f"{HERE}/teams").json()] == [mine.pk, other.pk]
    assert send(signed_in(here.senior), "GET", f"{HERE}/teams").json() == []
    for method, address in (("PATCH", f"teams/{mine.pk}"), ("POST", f"teams/{mine.pk}/close")):
        refused = send(signed_in(here.annotator), method, address, {"client_key": key()})
        assert told(refused) == (403, "operation_not_allowed")


@pytest.mark.django_db
def test_a_protocol_without_teams_has_none():
    here = world(captions_protocol())
    refused = send(signed_in(here.admin), "POST", f"{HERE}/teams", {"name": "x", "client_key": key()})
    assert told(refused) == (409, "teams_not_in_protocol")
    assert Team.objects.count() == 0


def test_a_team_of_another_benchmark_is_not_there(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    team = Team.objects.create(benchmark=other.benchmark, name="x")
    admin = signed_in(here.admin)
    body = {"role": "contributor", "team": team.pk, "client_key": key()}
    assert told(send(admin, "POST", f"{HERE}/people/{here.senior.pk}/roles", body)) == (404, "not_found")
    assert told(send(admin, "PATCH", f"teams/{team.pk}", {"name": "y", "client_key": key()})) == (404, "not_found")


@pytest.mark.django_db(transaction=True)
def test_closing_and_ending_at_once_wait_for_one_another():
    here = team_world(size_maximum=9)
    team = make(here)
    join(here, team, here.annotator, here.annotator2, here.senior, here.senior2)
    grants = list(RoleGrant.objects.filter(team=team).values_list("pk", flat=True))

    def one(n):
        try:
            if n == 2:
                services.close_team(actor=here.admin, team_id=team.pk, client_key=uuid.uuid4())
            else:
                grant = grants[n % len(grants)]
                services.end_role(actor=here.owner, grant_id=grant, client_key=uuid.uuid4())
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(one, range(5)))
    assert not RoleGrant.objects.filter(team=team, ended_at=None).exists()
    assert AuditEvent.objects.filter(action="role_end").count() <= 4


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_given_once():
    here = team_world(size_maximum=1)
    team = make(here)
    people = [here.annotator, here.annotator2, here.senior, here.senior2]

    def one(who):
        try:
            join(here, team, who)
        except TeamFull:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, people)) == [False, False, False, True]
    assert RoleGrant.objects.filter(team=team).count() == 1


@pytest.mark.django_db
def test_where_the_protocol_is_blind_members_see_parts_instead_of_names():
    content = captions_protocol() | {"teams": {"size_maximum": 3, "roles": ["contributor"]}}
    content["tracks"]["package"]["blind"] = True
    here = world(content)
    team = make(here)
    join(here, team, here.annotator, here.annotator2)
    team.lead = here.annotator2
    team.save(update_fields=["lead"])
    [seen] = send(signed_in(here.annotator), "GET", f"{HERE}/teams").json()
    assert (seen["lead"], seen["members"]) == (
        None,
        [
            {"id": here.annotator.pk, "name": "annotator 名", "roles": ["contributor"]},
            {"id": None, "name": None, "roles": ["contributor"]},
        ],
    )
    [told_heads] = send(signed_in(here.admin), "GET", f"{HERE}/teams").json()
    assert [member["name"] for member in told_heads["members"]] == ["annotator 名", "annotator2 名"]


def pair_world():
    teams = {"size_maximum": 2, "roles": ["contributor"], "lead_may_invite": True}
    return world(captions_protocol() | {"teams": teams, "taxonomy": {"list": "cvqa", "pairs": "cvqa-pairs"}})


URDU = {
    "slug": "pakistan_urdu",
    "tag": "ur-PK",
    "country": {"zh-Hans": "巴基斯坦", "zh-Hant": "巴基斯坦", "en": "Pakistan"},
    "language": {"zh-Hans": "乌尔都语", "zh-Hant": "烏爾都語", "en": "Urdu"},
    "continent": "asia",
    "script": "perso_arabic",
}


@pytest.mark.django_db
class TestPairs:
    @pytest.fixture
    def here(self):
        return pair_world()

    def post(self, here, **body):
        return send(signed_in(here.admin), "POST", f"{HERE}/teams", {"client_key": key()} | body)

    def test_a_team_keeps_the_values_of_its_pair(self, here):
        made = self.post(here, name="Karachi", pair="pakistan_urdu")
        assert (made.status_code, made.json()["name"], made.json()["pair"]) == (201, "Karachi", URDU)
        team = Team.objects.get()
        assert (team.pair, team.language, team.script, team.continent) == (
            "pakistan_urdu",
            "ur-PK",
            "perso_arabic",
            "asia",
        )
        assert (team.country, team.language_name) == (URDU["country"], URDU["language"])
        assert AuditEvent.objects.get(action="team_create").data == {"pair": "pakistan_urdu"}
        [listed] = send(signed_in(here.admin), "GET", f"{HERE}/teams").json()
        assert listed["pair"] == URDU

    def test_a_pair_has_one_open_team(self, here):
        first = self.post(here, name="a", pair="pakistan_urdu").json()
        refused = self.post(here, name="b", pair="pakistan_urdu")
        assert (*told(refused), refused.json()["params"]) == (409, "pair_taken", {"pair": "pakistan_urdu"})
        assert told(self.post(here, name="a", pair="india_urdu")) == (409, "team_name_taken")
        assert Team.objects.count() == 1
        send(signed_in(here.admin), "POST", f"teams/{first['id']}/close", {"client_key": key()})
        assert self.post(here, name="b", pair="pakistan_urdu").status_code == 201

    def test_a_pair_is_named_and_on_the_list(self, here):
        assert told(self.post(here, name="a")) == (422, "pair_missing")
        refused = self.post(here, name="a", pair="atlantis_klingon")
        assert (*told(refused), refused.json()["params"]) == (422, "pair_unknown", {"pair": "atlantis_klingon"})
        assert (Team.objects.count(), AuditEvent.objects.filter(action="team_create").count()) == (0, 0)

    def test_a_repeat_gets_the_first_answer_and_another_pair_is_another_request(self, here):
        body = {"name": "a", "pair": "pakistan_urdu", "client_key": key()}
        first, again = (self.post(here, **body).json() for _ in range(2))
        assert first == again
        assert told(self.post(here, **body | {"pair": "india_urdu"})) == (422, "client_key_reused")
        assert Team.objects.count() == 1

    def test_the_database_refuses_what_is_no_pair(self, here):
        values = {
            "pair": "x",
            "country": {},
            "language": "ur-PK",
            "language_name": {},
            "script": "latin",
            "continent": "asia",
        }
        wrong = [{"language": tag} for tag in ("team", "en-gb", "EN", "zh-hans", "")]
        wrong += [{"country": None}, {"language_name": None}, {"script": ""}, {"continent": ""}, {"pair": ""}]
        for n, part in enumerate(wrong):
            with pytest.raises(IntegrityError), transaction.atomic():
                Team.objects.create(benchmark=here.benchmark, name=f"team {n}", **values | part)
        Team.objects.create(benchmark=here.benchmark, name="right", **values)
        with pytest.raises(IntegrityError), transaction.atomic():
            Team.objects.create(benchmark=here.benchmark, name="another", **values)
        Team.objects.create(benchmark=here.benchmark, name="closed", **values, closed_at="2026-01-01T00:00Z")
        assert Team.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_teams_for_a_pair_at_once_one_is_made():
    here = pair_world()

    def one(n):
        try:
            services.create_team(
                actor=here.admin,
                benchmark_slug="cvlue",
                name=f"team {n}",
                pair="kenya_swahili",
                client_key=uuid.uuid4(),
            )
        except PairTaken:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [False, False, False, True]
    assert Team.objects.count() == 1


def test_a_protocol_without_pairs_refuses_one(here):
    refused = send(
        signed_in(here.admin), "POST", f"{HERE}/teams", {"name": "x", "pair": "kenya_swahili", "client_key": key()}
    )
    assert told(refused) == (422, "pair_unknown")
    assert Team.objects.count() == 0
