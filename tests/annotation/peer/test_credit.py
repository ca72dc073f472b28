"""Credit: accepted items by their first author, who earns authorship, and who sees it."""

import sys

import pytest

from annotation.peer import queries
from curation.people.models import Person, Team
from tests.annotation.teams import made, member, peer_world, send_back, star, submit
from tests.people import signed_in

pytestmark = pytest.mark.django_db
CREDIT = {"validated_items": 2, "or_manages_subsets": True}


def credited(**protocol):
    """Teams in which ann wrote two accepted items, ben one, and dan one that is returned."""
    here = peer_world(pictures=3, credit=CREDIT, **protocol)
    ann, ben, dan = (member(here, name) for name in ("ann", "ben", "dan"))
    star(ben, made(ann))
    star(ann, submit(ben, made(ann), 77))  # the first author counts
    star(ann, made(ben))
    send_back(here.curator, made(dan))
    return here


def shown(who):
    rows = queries.credit(who, "cvqa")["results"]
    return [(row["person"]["name"], row["validated"], row["teams_led"], row["earned"]) for row in rows]


@pytest.fixture
def here():
    return credited()


def name(here, who):
    return member(here, who).name


def test_counts_accepted_items_by_their_first_author(here):
    answer = queries.credit(here.admin, "cvqa")
    assert (answer["validated_items"], answer["teams_to_lead"]) == (2, 2)
    assert shown(here.admin) == [
        (name(here, "ann"), 2, 1, True),
        (name(here, "ben"), 1, 0, False),
        (name(here, "dan"), 0, 1, False),
    ]
    team = Team.objects.get(name="thai")
    assert answer["results"][0]["teams"] == [
        {"team": {"id": team.pk, "name": "thai"}, "validated": 2, "leads": True},
    ]


def test_leading_two_teams_suffices(here):
    Team.objects.create(benchmark=here.benchmark, name="tamil", lead=member(here, "dan"))
    assert shown(here.admin)[-1] == (name(here, "dan"), 0, 2, True)


def test_the_number_of_teams_is_of_the_rules(here, monkeypatch):
    monkeypatch.setattr(sys.modules["annotation.peer.queries.credit"], "MANAGED", 1)
    assert queries.credit(here.admin, "cvqa")["teams_to_lead"] == 1
    assert shown(here.admin)[-1] == (name(here, "dan"), 0, 1, True)


def test_without_the_condition_leading_teams_does_not_suffice():
    here = peer_world(credit={"validated_items": 2, "or_manages_subsets": False})
    Team.objects.create(benchmark=here.benchmark, name="tamil", lead=member(here, "dan"))
    assert queries.credit(here.admin, "cvqa")["teams_to_lead"] is None
    assert shown(here.admin)[-1] == (name(here, "dan"), 0, 2, False)


def test_members_see_their_own_team(here):
    assert [row[0] for row in shown(member(here, "cay"))] == [name(here, "ann"), name(here, "ben")]
    assert [row[0] for row in shown(member(here, "dan"))] == [name(here, "dan")]
    assert shown(here.annotator) == []


def test_where_names_are_hidden_members_see_themselves():
    here = credited(blind=True)
    assert [row[0] for row in shown(member(here, "ben"))] == [name(here, "ben")]
    assert len(shown(here.admin)) == 3


def test_the_file_has_safe_cells(here):
    ann = member(here, "ann")
    Person.objects.filter(pk=ann.pk).update(name="=1+1")
    answer = signed_in(here.admin).get("/api/v1/benchmarks/cvqa/credit.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    header, first, *_ = answer.getvalue().decode("utf-8-sig").splitlines()
    assert header == "person_id,person,team_id,team,validated_in_team,validated,teams_led,earned"
    assert first == f"{ann.pk},'=1+1,{Team.objects.get(name='thai').pk},thai,2,2,1,yes"
    assert signed_in(here.senior).get("/api/v1/benchmarks/cvqa/credit.csv").status_code == 403
