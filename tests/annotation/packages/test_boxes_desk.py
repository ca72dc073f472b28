"""What the desk costs for boxes, whose categories are read once for a protocol version."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.annotation.packages.test_api import _statements
from tests.boxes import TWO, boxes_world, build, copies_first
from tests.people import key, send, signed_in

pytestmark = pytest.mark.django_db


def test_next_save_and_submit_of_boxes_are_ten_statements_also_for_a_double():
    here = boxes_world()
    build(here)
    client = signed_in(here.annotator)
    package = send(client, "POST", "benchmarks/cvlue/packages/claim", {"kind": "boxes"}).json()
    for item in copies_first(package["id"]):  # the first fills the caches of the protocol version
        counts = []
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/api/v1/packages/{package['id']}/next").status_code == 200
        counts.append(_statements(seen))
        with CaptureQueriesContext(connection) as seen:
            send(client, "PUT", f"items/{item.pk}/draft", {"base_no": 0, "seq": 1, "content": TWO})
        counts.append(_statements(seen))
        with CaptureQueriesContext(connection) as seen:
            body = {"base_no": 0, "content": TWO, "client_key": key()}
            answer = send(client, "POST", f"items/{item.pk}/submit", body)
        counts.append(_statements(seen))
        assert answer.status_code == 200
    assert counts == [3, 3, 4]
