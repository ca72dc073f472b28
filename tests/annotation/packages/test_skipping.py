"""Leaving items unwritten, and handing a package over with them."""

import json
import uuid

import pytest

from annotation.items.errors import ReasonNeeded, ReasonUnknown, StaleRevision
from annotation.items.models import Draft, Item, ItemRevision
from annotation.packages import queries, services
from annotation.packages.errors import NotAllChecked
from annotation.packages.models import PackageItem
from annotation.tracks import services as writing
from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound
from curation.core.models import AuditEvent
from tests.annotation import track
from tests.people import key, send, signed_in
from tests.sentences import five_captions
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return track.new_world(pictures=2, size=2)


@shared
def package(here):
    return services.claim_package(actor=here.annotator, benchmark_slug="cvlue", kind="captions")[0]


@shared
def item(package):
    return track.items_of(package)[0]


def skip(who, item, *, base_no=0, reasons=("unclear",), comment="", key=None):
    return services.skip_item(
        actor=who,
        item_id=item.pk,
        base_no=base_no,
        reasons=list(reasons),
        comment=comment,
        client_key=key or uuid.uuid4(),
    )


def submit(here, item, base_no=0):
    return writing.submit_item(
        actor=here.annotator,
        item_id=item.pk,
        base_no=base_no,
        content=five_captions(item.number),
        reasons={},
        client_key=uuid.uuid4(),
    )


def untouched(item):
    item.refresh_from_db()
    assert (item.state, PackageItem.objects.get(item=item).skipped) == ("todo", None)
    assert not AuditEvent.objects.filter(action="item_skip").exists()


def test_it_says_who_when_and_why(here, package, item):
    left, replayed = skip(here.annotator, item, comment="一片黑")
    member = PackageItem.objects.get(item=item)
    assert (left.state, replayed) == ("skipped", False)
    assert member.skipped == {
        "reasons": ["unclear"],
        "comment": "一片黑",
        "by_id": here.annotator.pk,
        "at": member.skipped["at"],
    }
    event = AuditEvent.objects.get(action="item_skip")
    assert (event.state_from, event.state_to, event.label) == ("todo", "skipped", item.label)
    assert event.data == {"package_id": package.pk, "revision_no": 0, "reasons": ["unclear"]}
    assert [i["id"] for i in queries.next_work(here.annotator, package.pk, 0)["items"]] != [item.pk]


def test_it_needs_a_reason_of_the_list_or_a_comment(here, item):
    with pytest.raises(ReasonNeeded):
        skip(here.annotator, item, reasons=())
    with pytest.raises(ReasonUnknown):
        skip(here.annotator, item, reasons=["wrong_fact"])
    untouched(item)


def test_only_the_writer_and_only_what_they_saw(here, package, item):
    for who in (here.annotator2, here.senior, here.admin):
        with pytest.raises(NotFound):
            skip(who, item)
    with pytest.raises(StaleRevision):
        skip(here.annotator, item, base_no=1)
    untouched(item)


def test_what_is_written_is_not_skipped(here, item):
    submit(here, item)
    with pytest.raises(ActionNotAllowed):
        skip(here.annotator, item, base_no=1)
    item.refresh_from_db()
    assert item.state == "made"


def test_a_repeat_writes_nothing_and_a_key_serves_once(here, package, item):
    key = uuid.uuid4()
    skip(here.annotator, item, key=key)
    assert skip(here.annotator, item, key=key)[1] is True
    with pytest.raises(ClientKeyReused):
        skip(here.annotator, item, key=key, reasons=())
    with pytest.raises(ClientKeyReused):
        skip(here.annotator, track.items_of(package)[1], key=key)
    with pytest.raises(ClientKeyReused):
        skip(here.annotator, Item(pk=item.pk + 1_000), key=key)
    with pytest.raises(NotFound):
        skip(here.annotator, Item(pk=item.pk + 1_000))
    assert AuditEvent.objects.filter(action="item_skip").count() == 1


def test_it_can_be_written_after_all(here, item):
    skip(here.annotator, item)
    submit(here, item)
    item.refresh_from_db()
    assert (item.state, item.revision_no, PackageItem.objects.get(item=item).skipped) == ("made", 1, None)


def test_handing_over_asks_no_tick_for_it_and_keeps_what_was_typed(here, package):
    first, second = track.items_of(package)
    writing.save_draft(actor=here.annotator, item_id=first.pk, base_no=0, seq=1, content=five_captions(1))
    skip(here.annotator, first)
    submit(here, second)
    with pytest.raises(NotAllChecked) as refused:
        track.command(services.submit_package, here.annotator, package)
    assert refused.value.params["missing"] == [{"item_id": second.pk, "position": 2, "reason": "not_ticked"}]
    track.command(services.self_check, here.annotator, package, ticks={second.pk: 1})
    assert track.command(services.submit_package, here.annotator, package).state == "handed_over"
    assert [d.item_id for d in Draft.objects.all()] == [first.pk]


def test_a_repeat_after_handing_over_is_answered(here, package):
    first, second = track.items_of(package)
    key = uuid.uuid4()
    skip(here.annotator, first, key=key)
    skip(here.annotator, second)
    track.command(services.submit_package, here.annotator, package)
    left, replayed = skip(here.annotator, first, key=key)
    assert (left.state, replayed) == ("skipped", True)
    with pytest.raises(NotFound):
        skip(here.annotator, first)


def test_over_http(here, item):
    browser = signed_in(here.annotator)
    body = {"base_no": 0, "reasons": ["unclear"], "comment": " 一片黑 ", "client_key": key()}
    first, again = (send(browser, "POST", f"items/{item.pk}/skip", body).json() for _ in range(2))
    assert first == {"item_id": item.pk, "state": "skipped", "replayed": False}
    assert again == first | {"replayed": True}
    shown = send(browser, "GET", f"packages/{PackageItem.objects.get(item=item).package_id}").json()["items"][0]
    assert (shown["skipped"]["reasons"], shown["skipped"]["comment"]) == (["unclear"], "一片黑")
    assert set(shown["skipped"]) == {"reasons", "comment", "at"}
    assert ItemRevision.objects.count() == 0
    assert json.dumps(shown["skipped"])
