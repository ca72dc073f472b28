"""What the database itself refuses about items, whatever wrote them."""

import uuid

import pytest
from django.db import DatabaseError, transaction

from annotation.items.models import Item, ItemHand, ItemRevision
from annotation.judging.models import Verdict
from curation.images.models import Image
from curation.people.models import Team
from tests.annotation.releases.content import picture, team
from tests.sentences import five_captions
from tests.shared import shared


@shared
def here():
    return team()


def item(here, number=1, **values):
    image = values.pop("image", None) or picture(here, number, clean=False)
    return Item.objects.create(benchmark=here.benchmark, kind="captions", image=image, number=number, **values)


def peer_item(here, number=1):
    team = Team.objects.create(benchmark=here.benchmark, name=f"team {number}")
    image = picture(here, number, clean=False, team=team)
    return item(here, number, image=image, track="peer", team=team)


def write(here, item, no, author):
    Item.objects.filter(pk=item.pk).update(state="made", revision_no=no)
    return ItemRevision.objects.create(
        item=item,
        no=no,
        author=author,
        origin="annotator",
        content=five_captions(no),
        protocol=here.benchmark.protocol,
        client_key=uuid.uuid4(),
    )


def judge(item, no, author, judge):
    with transaction.atomic():
        return Verdict.objects.create(
            item=item,
            revision_no=no,
            author_id=author.pk,
            judge=judge,
            stage="peer",
            round=1,
            outcome="star",
            client_key=uuid.uuid4(),
        )


def hands(item):
    rows = ItemHand.objects.filter(item=item).order_by("pk")
    return [(h.person_id, h.hand, h.span.lower, h.span.upper) for h in rows]


def test_the_track_of_an_item_never_changes(here):
    made = item(here)
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        Item.objects.filter(pk=made.pk).update(track="peer")
    assert Item.objects.get(pk=made.pk).track == "package"


def test_the_team_of_an_item_never_changes(here):
    made, other = peer_item(here, 1), peer_item(here, 2)
    plain = item(here, 3, image=picture(here, 3, clean=False, team=made.team))
    for row, another in ((made, other.team), (made, None), (plain, made.team)):
        with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
            Item.objects.filter(pk=row.pk).update(team=another)
    assert list(Item.objects.order_by("pk").values_list("team", flat=True)) == [made.team_id, other.team_id, None]


def test_a_peer_item_has_a_team(here):
    with pytest.raises(DatabaseError, match="item_peer_has_team"), transaction.atomic():
        item(here, track="peer")
    assert not Item.objects.exists()


def test_the_team_of_an_item_is_its_pictures(here):
    teams = [Team.objects.create(benchmark=here.benchmark, name=name) for name in ("四川", "广东")]
    pictures = [picture(here, 1, clean=False, team=teams[1]), picture(here, 2, clean=False)]
    for image in pictures:
        with pytest.raises(DatabaseError, match="item_team_of_picture"), transaction.atomic():
            item(here, image=image, track="peer", team=teams[0])
    assert not Item.objects.exists()
    made = item(here, image=pictures[0], track="peer", team=teams[1])
    with pytest.raises(DatabaseError, match="item_team_of_picture"), transaction.atomic():
        Image.objects.filter(pk=pictures[0].pk).update(team=teams[0])
    assert Item.objects.get().team == made.team == teams[1]


def test_an_unknown_track_is_refused(here):
    with pytest.raises(DatabaseError, match="item_track"), transaction.atomic():
        item(here, track="raffle")
    assert not Item.objects.exists()


@pytest.mark.parametrize(("state", "reason"), [("excluded", ""), ("excluded", "because"), ("made", "picture")])
def test_an_excluded_item_and_no_other_has_one_of_the_reasons(here, state, reason):
    with pytest.raises(DatabaseError, match="item_excluded_has_reason"), transaction.atomic():
        item(here, state=state, excluded_for=reason)
    assert not Item.objects.exists()


@pytest.mark.parametrize("reason", ["discard", "decision"])
def test_the_slot_of_a_discarded_item_is_free_again_and_that_of_others_is_not(here, reason):
    image = picture(here, 1, clean=False)
    item(here, image=image, state="excluded", excluded_for=reason)
    item(here, 2, image=image, state="excluded", excluded_for="picture")
    with pytest.raises(DatabaseError, match="item_once"), transaction.atomic():
        item(here, 3, image=image)
    assert Item.objects.count() == 2


class TestHands:
    def test_in_packages_a_writer_is_a_maker_of_every_later_revision(self, here):
        made = item(here)
        for no, author in ((1, here.annotator), (2, here.annotator2), (3, here.annotator)):
            write(here, made, no, author)
        assert hands(made) == [(here.annotator.pk, "maker", 1, None), (here.annotator2.pk, "maker", 2, None)]
        with pytest.raises(DatabaseError, match="item_hand_nobody_judges_own"):
            judge(made, 3, here.annotator, here.annotator2)

    def test_among_peers_a_writer_is_a_maker_of_their_own_revisions_only(self, here):
        made = peer_item(here)
        for no, author in ((1, here.annotator), (2, here.annotator2), (3, here.annotator)):
            write(here, made, no, author)
        assert hands(made) == [
            (here.annotator.pk, "maker", 1, 2),
            (here.annotator2.pk, "maker", 2, 3),
            (here.annotator.pk, "maker", 3, 4),
        ]
        judge(made, 2, here.annotator2, here.annotator)
        judge(made, 3, here.annotator, here.annotator2)
        assert hands(made)[3:] == [(here.annotator.pk, "judge", 2, 3), (here.annotator2.pk, "judge", 3, 4)]

    @pytest.mark.parametrize("no", [1, 2])
    def test_among_peers_nobody_judges_a_revision_of_their_own(self, here, no):
        made = peer_item(here)
        for n in (1, 2):
            write(here, made, n, here.annotator)
        with pytest.raises(DatabaseError, match="verdict_not_own"):
            judge(made, no, here.annotator, here.annotator)
        assert not Verdict.objects.exists()
