"""Credit: accepted items by their first author, who earns authorship, and who sees it."""

import sys
import uuid

import pytest
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.peer import queries
from curation.people.models import Person, RoleGrant, Team
from tests.annotation.teams import create, discard, made, member, peer_world, send_back, star, submit
from tests.people import signed_in
from tests.sentences import five_captions

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
        {"team": {"id": team.pk, "name": "thai"}, "validated": 2, "leads": True, "member": True},
    ]


def test_authors_who_left_the_team_are_marked(here):
    RoleGrant.objects.filter(person=member(here, "ben")).update(ended_at=timezone.now())
    rows = {row["person"]["name"]: row["teams"] for row in queries.credit(here.admin, "cvqa")["results"]}
    assert [share["member"] for share in rows[name(here, "ben")]] == [False]


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


def test_who_moved_to_another_team_sees_what_they_wrote_in_the_earlier_one(here):
    ann = member(here, "ann")
    urdu = Team.objects.get(name="urdu")
    RoleGrant.objects.filter(person=ann).update(team=urdu)
    [own, _] = queries.credit(member(here, "ann"), "cvqa")["results"]
    assert (own["person"]["id"], own["validated"]) == (ann.pk, 2)
    assert [(row["team"]["name"], row["validated"]) for row in own["teams"]] == [("thai", 2)]
    assert shown(member(here, "dan"))[0][0] != name(here, "ann")


class TestRepeatedTexts:
    """Nobody gets credit for a text by discarding it and submitting it again."""

    @pytest.fixture
    def here(self):
        return peer_world(credit=CREDIT)

    @pytest.fixture
    def team(self, here):
        return [member(here, who) for who in ("ann", "ben", "cay")]

    def credit(self, here):
        rows = queries.credit(here.admin, "cvqa")["results"]
        return {row["person"]["name"].split()[0]: row["validated"] for row in rows if row["validated"]}

    def test_the_lead_discards_a_text_and_submits_it_again(self, here, team):
        ann, ben, cay = team
        discard(ann, submit(ben, create(ben), 7))
        star(cay, submit(ann, create(ann), 7))
        assert self.credit(here) == {ben.name.split()[0]: 1}

    def test_also_with_other_marks_and_in_another_order(self, here, team):
        ann, ben, cay = team
        discard(ann, submit(ben, create(ben), 7))
        changed = [f"{text.upper()}!" for text in reversed(five_captions(7)["captions"])]
        star(cay, submit(ann, create(ann), content={"captions": changed}))
        assert self.credit(here) == {ben.name.split()[0]: 1}

    def test_also_after_a_placeholder(self, here, team):
        ann, ben, cay = team
        discard(ann, submit(ben, create(ben), 7))
        star(cay, submit(ann, submit(ann, create(ann), 99), 7))
        assert self.credit(here) == {ben.name.split()[0]: 1}

    def test_also_twice(self, here, team):
        ann, ben, cay = team
        discard(ann, submit(ben, create(ben), 7))
        discard(ann, submit(ann, create(ann), 7))
        star(cay, submit(ann, create(ann), 7))
        assert self.credit(here) == {ben.name.split()[0]: 1}

    def test_an_imported_text_gives_no_credit_when_it_is_submitted_again(self, here, team):
        ann, ben, _ = team
        item = create(ann)
        fields = {"origin": "import", "content": five_captions(7), "protocol": here.benchmark.protocol}
        ItemRevision.objects.create(item=item, no=1, author=here.admin, client_key=uuid.uuid4(), **fields)
        Item.objects.filter(pk=item.pk).update(state="made", revision_no=1)
        discard(ann, item)
        star(ben, submit(ann, create(ann), 7))
        assert self.credit(here) == {}

    def test_another_text_gives_credit_to_who_wrote_it(self, here, team):
        ann, ben, cay = team
        discard(ann, submit(ben, create(ben), 7))
        star(cay, submit(ann, create(ann), 8))
        assert self.credit(here) == {ann.name.split()[0]: 1}

    def test_copying_and_discarding_a_colleagues_text_takes_no_credit(self, here, team):
        ann, ben, cay = team
        item = submit(ann, create(ann), 7)
        discard(ben, submit(ben, create(ben), 7))
        submit(ann, item, 8)
        star(cay, submit(ann, item, 7))
        assert self.credit(here) == {ann.name.split()[0]: 1}

    def test_nor_does_editing_a_colleagues_item(self, here, team):
        ann, ben, cay = team
        discard(ben, submit(ben, create(ben), 7))
        star(cay, submit(ben, submit(ann, create(ann), 8), 7))
        assert self.credit(here) == {ann.name.split()[0]: 1}


def test_a_placeholder_that_a_colleague_rewrites_counts_for_who_submitted_it():
    """No program tells a placeholder from a poor question; colleagues return it, or the lead discards it."""
    here = peer_world(credit=CREDIT)
    cay, ben = member(here, "cay"), member(here, "ben")
    star(here.curator, submit(ben, made(cay), 500))
    assert (name(here, "cay"), 1, 0, False) in shown(here.admin)
