"""Taking pictures down, and bringing them back."""

import uuid

import pytest

from curation.core.errors import ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed
from curation.core.models import AuditEvent
from curation.images import errors
from curation.images.models import Takedown
from curation.images.services import restore_image, withdraw_image
from curation.images.services import withdrawing as module
from tests.pictures import image, judge


def down(who, picture, reason="rights", key=None):
    return withdraw_image(actor=who, image_id=picture.pk, reason=reason, comment="", client_key=key or uuid.uuid4())


def back(who, picture):
    return restore_image(actor=who, image_id=picture.pk, reason="", comment="", client_key=uuid.uuid4())


def test_down_and_back_to_where_it_was(here, monkeypatch, django_capture_on_commit_callbacks):
    woken = []
    monkeypatch.setattr(module.jobs, "send", woken.append)
    taken, key = image(here.contributor), uuid.uuid4()
    judge(here.curator, taken)
    with django_capture_on_commit_callbacks(execute=True):
        down(here.curator, taken, key=key)
        down(here.curator, taken, key=key)
    taken.refresh_from_db()
    assert (taken.state, woken) == ("withdrawn", ["annotation.follow_pictures"])
    with pytest.raises(ClientKeyReused):
        down(here.curator, image(here.contributor, 2), key=key)
    with pytest.raises(ActionNotAllowed):
        down(here.admin, taken)
    with pytest.raises(ActionNotAllowed):
        judge(here.curator2, taken, "refused", ["iconic"])
    back(here.admin, taken)
    taken.refresh_from_db()
    assert taken.state == "accepted"
    rows = Takedown.objects.order_by("no").values_list("no", "restored", "state_from", "reason")
    assert list(rows) == [(1, False, "accepted", "rights"), (2, True, "withdrawn", "")]
    events = AuditEvent.objects.filter(action__in=["image_take_down", "image_restore"]).order_by("pk")
    assert [(e.state_from, e.state_to, e.data) for e in events] == [
        ("accepted", "withdrawn", {"reason": "rights"}),
        ("withdrawn", "accepted", {}),
    ]
    down(here.admin, taken)
    with pytest.raises(errors.ReasonsRefused):
        down(here.admin, image(here.contributor, 3), "because")


def test_who_may(here):
    theirs, mine = image(here.curator, 1), image(here.contributor, 2)
    for who, error in [(here.contributor, NotFound), (here.annotator, OperationNotAllowed), (here.stranger, NotFound)]:
        with pytest.raises(error):
            down(who, theirs)
    down(here.contributor, mine)
    for who in (here.contributor, here.curator):
        with pytest.raises(OperationNotAllowed):
            back(who, mine)
    assert Takedown.objects.count() == 1
