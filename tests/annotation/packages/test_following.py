"""What becomes of items when their picture is withdrawn, and when it is restored."""

import uuid

import pytest
from django.db import connections

from annotation.items.models import Item
from annotation.packages import services
from annotation.packages.models import Package, PackageItem
from curation.core.errors import NotFound
from curation.core.models import AuditEvent
from tests.annotation import track
from tests.annotation.withdrawals import restore, withdraw

pytestmark = pytest.mark.django_db


def states(package: Package) -> list[str]:
    rows = PackageItem.objects.filter(package=package, active=True).select_related("item")
    return [m.item.state for m in rows.order_by("position")]


def test_nothing_moves_while_nothing_is_withdrawn():
    here = track.new_world()
    track.passed(here)
    assert services.follow_pictures() == 0
    assert set(Item.objects.values_list("state", flat=True)) == {"accepted"}


def test_an_item_leaves_the_package_in_work_and_the_others_go_on():
    here = track.new_world()
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    first = track.items_of(package)[0]
    withdraw(first.image, here.admin)
    assert services.follow_pictures() == 1
    assert services.follow_pictures() == 0
    assert states(package) == ["todo", "todo", "todo"]
    assert Item.objects.get(pk=first.pk).state == "excluded"
    track.write(here.annotator, package)
    assert track.tick_and_submit(here.annotator, package).state == "handed_over"
    event = AuditEvent.objects.get(target_type="item", action="image_take_down")
    assert (event.target_id, event.actor_id, event.state_from, event.state_to) == (first.pk, None, "todo", "excluded")
    assert event.data == {"image_id": first.image_id}


def test_nothing_is_written_on_a_withdrawn_picture_before_the_sweep_comes_to_its_item():
    here = track.new_world()
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    withdraw(track.items_of(package)[0].image, here.admin)
    with pytest.raises(NotFound):
        track.write(here.annotator, package)
    assert set(states(package)) == {"todo"}


def test_a_package_that_loses_every_item_is_withdrawn_and_frees_its_annotator():
    here = track.new_world(8)
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    for item in track.items_of(package):
        withdraw(item.image, here.admin)
    assert services.follow_pictures() == 4
    package.refresh_from_db()
    assert (package.state, package.revision) == ("withdrawn", 2)
    other, held = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    assert (other.pk == package.pk, held) == (False, False)


def test_a_sample_under_inspection_stays_whole_and_the_item_goes_afterwards():
    here = track.new_world()
    package = track.inspecting(here)
    sampled = track.drawn(package)
    withdraw(Item.objects.get(pk=sampled[0]).image, here.admin)
    assert services.follow_pictures() == 0
    for item_id in sampled:
        track.inspect(here.curator, item_id)
    track.command(track.quality.complete_inspection, here.curator, package)
    assert package.state == "passed"
    assert services.follow_pictures() == 1
    gone = Item.objects.get(pk=sampled[0])
    assert (gone.state, gone.accepted_no, gone.revision_no) == ("excluded", None, 1)
    assert states(package) == ["accepted"] * 3
    package.refresh_from_db()
    assert package.state == "passed"


def test_what_was_restored_is_packed_anew():
    here = track.new_world()
    track.passed(here)
    images = [i.image for i in Item.objects.order_by("number")[:2]]
    withdraw(images[0], here.admin)
    services.follow_pictures()
    restore(images[0], here.admin)
    assert services.follow_pictures() == 1
    item = Item.objects.get(image=images[0])
    assert (item.state, item.accepted_no, item.revision_no) == ("returned", None, 1)
    made, left = services.build_packages(
        actor=here.admin,
        benchmark_slug="cvlue",
        kind="captions",
        size=1,
        seed=1,
        complete_only=False,
        client_key=uuid.uuid4(),
    )
    assert ([track.items_of(p)[0].pk for p in made], left) == ([item.pk], 0)


@pytest.mark.django_db(transaction=True)
def test_an_item_in_somebodys_hands_at_this_moment_waits_for_the_next_sweep():
    here = track.new_world()
    package, _ = services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")
    first = track.items_of(package)[0]
    withdraw(first.image, here.admin)
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("begin")
            cursor.execute("select 1 from annotation_item where id = %s for no key update", [first.pk])
            assert services.follow_pictures() == 0
            cursor.execute("rollback")
    finally:
        other.close()
    assert services.follow_pictures() == 1
    assert len(states(package)) == 3
    assert not PackageItem.objects.filter(item=first, active=True).exists()
