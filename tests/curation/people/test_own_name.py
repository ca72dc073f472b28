"""People choose the name that colleagues see; their username and everybody else's name stay."""

import pytest

from curation.core.models import AuditEvent
from tests.people import send, signed_in, told, world
from tests.protocols import captions_protocol
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def here():
    return world(captions_protocol())


def test_choosing_ones_own_name(here):
    answer = send(signed_in(here.annotator), "PATCH", "session", {"name": " 吴𠮷 "})
    assert (answer.json()["person"]["name"], answer.json()["person"]["username"]) == ("吴𠮷", "annotator")
    [event] = AuditEvent.objects.filter(action="rename")
    assert (event.actor_id, event.target_id, event.label, event.data) == (here.annotator.pk, here.annotator.pk, "", {})
    send(signed_in(here.annotator), "PATCH", "session", {"name": "吴𠮷"})
    assert AuditEvent.objects.filter(action="rename").count() == 1


@pytest.mark.parametrize("name", ["", "  ", "x" * 121, None, "a\u202eb"])
def test_what_is_no_name_is_refused_and_nothing_changes(here, name):
    refused = send(signed_in(here.annotator), "PATCH", "session", {"name": name, "language": "en"})
    assert told(refused) == (400, "invalid_input")
    here.annotator.refresh_from_db()
    assert (here.annotator.name, here.annotator.language) == ("annotator 名", "zh-Hans")
    assert not AuditEvent.objects.filter(action="rename").exists()
