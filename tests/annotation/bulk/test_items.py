"""Excluding many accepted items: for good, with one notice for each person."""

import pytest

from annotation.items.models import Exclusion, Item
from annotation.tracks import services
from curation.people.models import Notice
from tests.annotation.bulk.bulk import counts, finish, prepare
from tests.annotation.track import new_world, passed, submitted_package
from tests.people import key, send, signed_in, told
from tests.shared import shared

pytestmark = pytest.mark.django_db
WHY = {"reason": "Two lanterns look alike"}


@shared
def here():
    """Six items: four accepted, two in review."""
    made = new_world(pictures=6, size=4)
    passed(made)
    submitted_package(made)
    return made


def states():
    return list(Item.objects.order_by("number").values_list("state", flat=True))


def test_accepted_items_are_excluded_and_nothing_else(here):
    curator = signed_in(here.curator)
    preview = prepare(curator, "exclude", WHY)
    assert (counts(preview), preview["undoable"]) == ({"pending": 4, "refused": 2}, False)
    assert [(reason["code"], reason["count"]) for reason in preview["reasons"]] == [("action_not_allowed", 2)]
    assert not Exclusion.objects.exists()
    accepted = list(Item.objects.filter(state="accepted").order_by("pk"))
    services.exclude_item(
        actor=here.admin, item_id=accepted[0].pk, revision_no=1, reason="Blurred", client_key=key(), quietly=True
    )
    done = finish(curator, preview)
    assert counts(done) == {"done": 3, "refused": 3}
    assert sorted(states()) == ["excluded"] * 4 + ["made"] * 2
    reasons = dict(Exclusion.objects.values_list("item_id", "reason"))
    assert reasons == {item.pk: WHY["reason"] if n else "Blurred" for n, item in enumerate(accepted)}
    [notice] = Notice.objects.filter(person=here.annotator, code="items_excluded")
    assert notice.params == {"item": accepted[1].label, "count": 3, "comment": WHY["reason"]}
    assert not Notice.objects.filter(code="item_excluded").exists()


def test_it_is_for_good(here):
    curator = signed_in(here.curator)
    done = finish(curator, prepare(curator, "exclude", WHY, filters={"state": "accepted", "search": "cap-1"}))
    assert (counts(done), done["available_actions"]) == ({"done": 1}, [])
    before = states()
    assert told(send(curator, "POST", f"bulk/{done['id']}/undo", {"client_key": key()})) == (409, "bulk_not_undoable")
    assert states() == before


def test_people_see_it_as_the_single_operation_says(here):
    owner = signed_in(here.owner)
    assert counts(prepare(owner, "exclude", WHY)) == {"pending": 4, "refused": 2}
    body = {"action": "exclude", "params": WHY, "filters": {}}
    assert told(send(signed_in(here.senior), "POST", "benchmarks/cvlue/bulk", body)) == (403, "operation_not_allowed")
    empty = {"action": "exclude", "params": {"reason": " "}, "filters": {}}
    assert told(send(owner, "POST", "benchmarks/cvlue/bulk", empty)) == (400, "invalid_input")
