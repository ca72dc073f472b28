"""How far a reach goes over rows that know who made them."""

import pytest

from curation.core.operations import Reach
from curation.images.models import Image
from curation.people.access import made_within, reaches
from curation.people.models import Person, RoleGrant, Team
from tests.people import world
from tests.protocols import captions_protocol
from tests.ready import accepted_pictures
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    made = world(captions_protocol())
    for who in (made.contributor, made.annotator, made.senior):
        accepted_pictures(made.benchmark, who, made.curator, 1)
    team = Team.objects.create(benchmark=made.benchmark, name="四川")
    members = [made.contributor, made.annotator]
    RoleGrant.objects.filter(person__in=members).update(team=team)
    Image.objects.filter(contributor__in=members).update(team=team)
    return made


def makers(here, who, reach):
    rows = Image.objects.filter(made_within(who, here.benchmark.pk, reach, "contributor", "team"))
    found = set(rows.values_list("contributor__username", flat=True))
    one_by_one = {
        image.contributor.username
        for image in Image.objects.select_related("contributor")
        if reaches(who, here.benchmark.pk, reach, image.contributor_id, image.team_id)
    }
    assert found == one_by_one
    return found


def fresh(who):
    return Person.objects.get(pk=who.pk)


def test_all_team_own_none(here):
    who = fresh(here.contributor)
    assert makers(here, who, Reach.ALL) == {"contributor", "annotator", "senior"}
    assert makers(here, who, Reach.TEAM) == {"contributor", "annotator"}
    assert makers(here, who, Reach.ASSIGNED) == makers(here, who, Reach.OWN) == {"contributor"}
    assert makers(here, who, Reach.NONE) == set()


def test_a_picture_stays_its_teams_when_its_contributor_leaves(here):
    RoleGrant.objects.filter(person=here.annotator).update(ended_at="2026-01-01T00:00Z")
    assert makers(here, fresh(here.contributor), Reach.TEAM) == {"contributor", "annotator"}
    assert makers(here, fresh(here.annotator), Reach.TEAM) == {"annotator"}


def test_a_mates_picture_for_no_team_is_their_own(here):
    Image.objects.filter(contributor=here.annotator).update(team=None)
    assert makers(here, fresh(here.contributor), Reach.TEAM) == {"contributor"}


def test_rows_that_belong_to_no_team_are_their_makers(here):
    rows = Image.objects.filter(made_within(fresh(here.contributor), here.benchmark.pk, Reach.TEAM, "contributor"))
    assert set(rows.values_list("contributor__username", flat=True)) == {"contributor"}


def test_without_a_team_a_team_is_oneself(here):
    assert makers(here, fresh(here.senior), Reach.TEAM) == {"senior"}


def test_a_team_elsewhere_does_not_count(here):
    other = world(captions_protocol(), slug="other", prefix="o-")
    team = Team.objects.create(benchmark=other.benchmark, name="四川")
    for who in (here.contributor, here.senior):
        RoleGrant.objects.create(person=who, benchmark=other.benchmark, team=team, role="contributor")
    assert makers(here, fresh(here.contributor), Reach.TEAM) == {"contributor", "annotator"}
