"""Accepted items by team and category: exact counts, whose teams a reader gets, and the number of statements."""

import uuid

import pytest
from django.utils import timezone

from annotation.items.errors import KindNotInProtocol
from annotation.items.models import Item
from annotation.peer import queries
from annotation.peer import services as peer
from annotation.tracks import services as writing
from curation.images.models import Image
from curation.people.models import Person, RoleGrant, Team
from curation.taxonomy.models import Category
from tests.annotation.teams import made, member, peer_protocol, peer_world, send_back, star, team_of
from tests.kinds import numbers_of
from tests.people import signed_in, world
from tests.protocols import names

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/benchmarks/cvqa/team-statistics"
THAI = {
    "pair": "thailand_thai",
    "language": "th-TH",
    "language_name": names("Thai"),
    "country": names("Thailand"),
    "script": "thai",
    "continent": "asia",
}


def category(benchmark, slug, number):
    return Category.objects.create(
        benchmark=benchmark, slug=slug, number=number, name=names(slug), field="f", field_name=names("f")
    )


@pytest.fixture
def here():
    """Thai: two captions of food, on one of which there are two, and one without a category. Urdu: one that waits."""
    here = peer_world(pictures=3)
    Team.objects.filter(name="thai").update(**THAI)
    ann, ben, dan = (member(here, name) for name in ("ann", "ben", "dan"))
    first, second, third = Image.objects.filter(team__name="thai").order_by("pk")
    Image.objects.filter(pk__in=[first.pk, second.pk]).update(category=category(here.benchmark, "food", 1))
    for image in (first, first, second, third):
        star(ben, made(ann, image))
    send_back(ben, made(ann, second))
    made(ben, third)
    made(dan)
    return here


def shown(who, kind="captions"):
    """Each team's items and pictures, in all and by category."""
    return {
        row["team"]["name"]: (
            (row["items"], row["pictures"]),
            {of["category"]: (of["items"], of["pictures"]) for of in row["categories"]},
        )
        for row in queries.team_statistics(who, "cvqa", kind=kind)["teams"]
    }


THAI_COUNTS = ((4, 3), {"food": (3, 2), "": (1, 1)})
NONE = ((0, 0), {})


def test_counts_accepted_items_and_their_pictures(here):
    answer = queries.team_statistics(here.admin, "cvqa", kind="captions")
    assert (answer["kind"], answer["required"]) == ("captions", 200)
    assert shown(here.admin) == {"thai": THAI_COUNTS, "urdu": NONE}
    thai, urdu = answer["teams"]
    assert (thai["pair"]["country"]["en"], thai["pair"]["language"]["en"], urdu["pair"]) == ("Thailand", "Thai", None)
    assert shown(here.curator) == shown(here.admin)


def test_members_get_their_own_teams(here):
    assert shown(member(here, "cay")) == {"thai": THAI_COUNTS}
    assert shown(member(here, "dan")) == {"urdu": NONE}
    RoleGrant.objects.filter(person=member(here, "dan")).update(team=None)
    assert shown(member(here, "dan")) == {}


def test_readers_without_a_part_in_the_teams_work_are_refused(here):
    assert signed_in(here.senior).get(ADDRESS, {"kind": "captions"}).status_code == 403
    assert signed_in(here.stranger).get(ADDRESS, {"kind": "captions"}).status_code == 403
    with pytest.raises(KindNotInProtocol):
        queries.team_statistics(here.admin, "cvqa", kind="vqa")


def test_a_closed_team_is_listed_while_it_has_accepted_items(here):
    Team.objects.update(closed_at=timezone.now())
    assert shown(here.admin) == {"thai": THAI_COUNTS}


def test_three_statements_for_any_number_of_teams(here, django_assert_num_queries):
    for name in ("tamil", "telugu", "turkish"):
        team_of(here, name, [name])
        star(here.curator, made(member(here, name)))
    admin = Person.objects.get(pk=here.admin.pk)
    assert admin.grants
    with django_assert_num_queries(3):
        assert len(queries.team_statistics(admin, "cvqa", kind="captions")["teams"]) == 5


def question(who, image, category):
    """An accepted question; its category is its own."""
    here = {"benchmark_slug": "cvqa", "kind": "multiple_choice"}
    item = peer.create_item(actor=who["writes"], image_id=image.pk, client_key=uuid.uuid4(), **here)
    content = {
        "category": category,
        "question": {"local": "图中的乐器叫什么名字？"},
        "options": [{"local": text} for text in ("二胡", "琵琶", "古筝", "唢呐")],
    }
    fields = {"base_no": 0, "content": content, "reasons": {}, "track": "peer", "client_key": uuid.uuid4()}
    writing.submit_item(actor=who["writes"], item_id=item.pk, **fields)
    return star(who["stars"], Item.objects.get(pk=item.pk))


def test_a_questions_category_is_its_own():
    content = peer_protocol()
    content["kinds"]["multiple_choice"] = numbers_of("multiple_choice") | {
        "track": "peer",
        "per_picture": {"minimum": 1, "maximum": 3},
        "peer": {"items_per_team": 50},
    }
    here = world(content | {"languages": {"content": "zh-Hans"}}, slug="cvqa")
    team_of(here, "thai", ["ann", "ben"], 2)
    for number, slug in enumerate(("food", "music"), 1):
        category(here.benchmark, slug, number)
    first, second = Image.objects.filter(team__name="thai").order_by("pk")
    Image.objects.update(category=Category.objects.get(slug="food"))
    who = {"writes": member(here, "ann"), "stars": member(here, "ben")}
    for image, of in ((first, "food"), (first, "music"), (second, "music")):
        question(who, image, of)
    assert shown(here.admin, "multiple_choice") == {"thai": ((3, 2), {"food": (1, 1), "music": (2, 2)})}
    assert queries.team_statistics(here.admin, "cvqa", kind="multiple_choice")["required"] == 50
    assert shown(here.admin) == {"thai": NONE}
