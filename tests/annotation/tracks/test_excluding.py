"""Excluding an accepted item for good: by whom, who is notified, and what is left of it."""

import uuid

import pytest

from annotation.items.models import Item
from annotation.packages import services as packages
from annotation.packages.models import PackageItem
from annotation.releases.queries.snapshots import snapshot
from annotation.tracks import services
from curation.core.errors import ActionNotAllowed, ClientKeyReused, OperationNotAllowed, StaleRow
from curation.people.models import Notice
from tests.annotation import track
from tests.annotation.teams import create, made, member, peer_world, picture_of, star, submit
from tests.annotation.withdrawals import restore, withdraw
from tests.people import send, signed_in

pytestmark = pytest.mark.django_db
WHY = "The right option is wrong"


def exclude(who, item, **more):
    fields = {"revision_no": item.revision_no, "reason": WHY, "client_key": uuid.uuid4()} | more
    return services.exclude_item(actor=who, item_id=item.pk, **fields)


def notified(item):
    rows = Notice.objects.filter(code="item_excluded", target_id=item.pk).order_by("person__username")
    return {row.person.username: row.params for row in rows}


def released(here):
    now = snapshot(here.benchmark.pk, {"captions": None}, keeps_splits=False)
    return [candidate.item_id for own in now.kinds for candidate in own.candidates]


@pytest.fixture
def here():
    return peer_world(maximum=1)


@pytest.fixture
def item(here):
    """An item that ann wrote, ben edited and cay starred."""
    ann, ben, cay = (member(here, name) for name in ("ann", "ben", "cay"))
    return star(cay, submit(ben, made(ann), 77))


def test_author_and_validator_are_notified_with_the_reason(here, item):
    assert exclude(here.curator, item).state == "excluded"
    params = {"item": item.label, "comment": WHY}
    assert notified(item) == {f"cvqa-{name}": params for name in ("ann", "ben", "cay")}


def test_it_is_in_no_release_and_its_slot_is_free(here, item):
    assert released(here) == [item.pk]
    exclude(here.curator, item)
    assert not released(here)
    assert create(member(here, "ann")).slot == item.slot


def test_restoring_its_picture_does_not_bring_it_back(here, item):
    exclude(here.curator, item)
    withdraw(picture_of("thai"), here.admin)
    packages.follow_pictures()
    restore(picture_of("thai"), here.admin)
    packages.follow_pictures()
    assert Item.objects.get().state == "excluded"


def test_its_page_shows_why(here, item):
    shown = signed_in(here.admin).get(f"/api/v1/items/{item.pk}").json()
    assert (shown["exclusion"], "item_exclude" in shown["available_actions"]) == (None, True)
    exclude(here.curator, item)
    shown = signed_in(member(here, "ann")).get(f"/api/v1/items/{item.pk}").json()
    assert shown["exclusion"]["reason"] == WHY
    assert shown["exclusion"]["by"]["name"] == here.curator.name
    assert "item_exclude" not in shown["available_actions"]


def test_names_are_hidden_from_members_of_a_blind_track():
    here = peer_world(blind=True)
    item = star(member(here, "ben"), made(member(here, "ann")))
    exclude(here.curator, item)
    shown = signed_in(member(here, "ann")).get(f"/api/v1/items/{item.pk}").json()
    assert (shown["exclusion"]["reason"], shown["exclusion"]["by"]) == (WHY, None)


def test_only_an_accepted_item_at_the_revision_that_was_read(here, item):
    with pytest.raises(StaleRow):
        exclude(here.curator, item, revision_no=1)
    opened = submit(here.curator, item, 78)
    with pytest.raises(ActionNotAllowed):
        exclude(here.curator, opened)
    assert not notified(item)


def test_members_do_not(here, item):
    with pytest.raises(OperationNotAllowed):
        exclude(member(here, "ann"), item)


def test_a_repeat_changes_nothing(here, item):
    same = {"client_key": uuid.uuid4()}
    exclude(here.curator, item, **same)
    again = Item.objects.get(pk=item.pk)
    assert exclude(here.curator, again, **same).state == "excluded"
    assert Notice.objects.filter(code="item_excluded").count() == 3
    with pytest.raises(ClientKeyReused):
        exclude(here.curator, again, **same, revision_no=1)


def test_a_reason_is_needed(here, item):
    body = {"revision_no": item.revision_no, "reason": " \u3164", "client_key": uuid.uuid4().hex}
    assert send(signed_in(here.curator), "POST", f"items/{item.pk}/exclude", body).status_code == 400


def test_an_item_of_a_package_leaves_it_and_the_picture_waits_for_another():
    here = track.new_world()
    package = track.passed(here)
    item = track.items_of(package)[0]
    shown = signed_in(here.curator).get(f"/api/v1/items/{item.pk}").json()
    assert "item_exclude" in shown["available_actions"]
    exclude(here.curator, item)
    assert not PackageItem.objects.filter(item=item, active=True).exists()
    assert set(notified(item)) >= {here.annotator.username, here.senior.username}
    [built], _ = packages.build_packages(
        actor=here.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=1,
        seed=1,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    [new] = track.items_of(built)
    assert (new.image_id, new.slot, new.state) == (item.image_id, item.slot, "todo")


@pytest.mark.parametrize("again", [False, True])
def test_an_item_whose_picture_was_restored_says_so_until_it_is_submitted(here, item, again):
    withdraw(picture_of("thai"), here.admin)
    packages.follow_pictures()
    restore(picture_of("thai"), here.admin)
    packages.follow_pictures()
    if again:
        submit(member(here, "ann"), item, 80)
    browser = signed_in(member(here, "ann"))
    answers = [browser.get(f"/api/v1/items/{item.pk}{end}").json() for end in ("", "/peer")]
    assert [answer["is_restored"] for answer in answers] == [not again] * 2


def test_so_does_an_item_that_is_in_a_new_package():
    here = track.new_world()
    image = track.items_of(track.passed(here))[0].image
    withdraw(image, here.admin)
    packages.follow_pictures()
    restore(image, here.admin)
    packages.follow_pictures()
    packages.build_packages(
        actor=here.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=1,
        seed=1,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    package, _ = packages.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    [shown] = signed_in(here.annotator).get(f"/api/v1/packages/{package.pk}").json()["items"]
    assert (shown["state"], shown["is_restored"]) == ("returned", True)
