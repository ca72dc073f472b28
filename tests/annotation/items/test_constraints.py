"""What the database itself refuses about items, whatever wrote them."""

import uuid

import pytest
from django.db import DatabaseError, transaction

from annotation.items.models import Item, ItemHand, ItemRevision
from annotation.judging.models import Verdict
from tests.annotation.releases.content import picture, team
from tests.sentences import five_captions
from tests.shared import shared


@shared
def here():
    return team()


def item(here, number=1, **values):
    image = values.pop("image", None) or picture(here, number, clean=False)
    return Item.objects.create(benchmark=here.benchmark, kind="captions", image=image, number=number, **values)


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


def test_an_unknown_track_is_refused(here):
    with pytest.raises(DatabaseError, match="item_track"), transaction.atomic():
        item(here, track="raffle")
    assert not Item.objects.exists()


@pytest.mark.parametrize(("state", "reason"), [("excluded", ""), ("excluded", "because"), ("made", "picture")])
def test_an_excluded_item_and_no_other_has_one_of_the_reasons(here, state, reason):
    with pytest.raises(DatabaseError, match="item_excluded_has_reason"), transaction.atomic():
        item(here, state=state, excluded_for=reason)
    assert not Item.objects.exists()


def test_the_slot_of_a_discarded_item_is_free_again_and_that_of_others_is_not(here):
    image = picture(here, 1, clean=False)
    item(here, image=image, state="excluded", excluded_for="discard")
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
        made = item(here, track="peer")
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
        made = item(here, track="peer")
        for n in (1, 2):
            write(here, made, n, here.annotator)
        with pytest.raises(DatabaseError, match="verdict_not_own"):
            judge(made, no, here.annotator, here.annotator)
        assert not Verdict.objects.exists()
