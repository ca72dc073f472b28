"""Who asks about a picture in a dialogue is not given other work on it: no seat, no text and no address of it."""

import pytest

from annotation.seats.errors import NothingLeft
from annotation.seats.models import Seat
from curation.images.models import Blindfold
from tests.annotation.pairs import clicker, held, pair_world, take, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def item():
    return written(pair_world(2))


def blindfold(who, item):
    Blindfold.objects.create(image_id=item.image_id, person=who)


def test_no_seat_is_given_on_a_picture_that_one_asks_about(item):
    blindfold(clicker(1), item)
    with pytest.raises(NothingLeft):
        take(clicker(1))
    take(clicker(2))
    assert held(clicker(2))["id"] == item.pk


def test_a_seat_that_is_held_already_shows_nothing_of_it(item):
    take(clicker(1))
    blindfold(clicker(1), item)
    assert held(clicker(1)) is None
    assert Seat.objects.get().holder == clicker(1)
    Blindfold.objects.all().delete()
    assert held(clicker(1))["id"] == item.pk
