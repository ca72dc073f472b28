"""Slow connections to the real server hold slots of their own person, and nobody else's."""

import json
import select
import time
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from curation.images.services import create_upload
from curation.people.models import ApiToken
from curation.people.rules import secret_sha256
from tests.servers import answer, send, web_server

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 12


def token(who, benchmark) -> str:
    prefix = uuid.uuid4().hex[:12]
    ApiToken.objects.create(
        person=who,
        benchmark=benchmark,
        name="x",
        prefix=prefix,
        secret_sha256=secret_sha256("secret"),
        operations=["upload_part"],
        client_key=uuid.uuid4(),
        expires_at=timezone.now() + timedelta(days=1),
    )
    return f"{prefix}.secret"


def part(token: str, upload, announced: int, sent: bytes, offset: int = 0) -> bytes:
    headers = {
        "Host": "localhost",
        "Authorization": f"Bearer {token}",
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": str(offset),
        "Content-Type": "application/offset+octet-stream",
        "Content-Length": str(announced),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"PATCH /api/v1/uploads/{upload.pk} HTTP/1.1\r\n{head}\r\n".encode() + sent


def test_twelve_slow_connections_of_one_person_hold_up_nobody_else(make_world, media):
    here = make_world()
    mine, theirs = (token(who, here.benchmark) for who in (here.contributor, here.curator))

    def upload(who):
        made = {"actor": who, "benchmark_slug": "cvlue", "filename": "a.jpg", "length": 1_000}
        return create_upload(**made, client_key=uuid.uuid4()).upload

    *waiting, again = [upload(here.contributor) for _ in range(MANY + 1)]
    quick = upload(here.curator)
    with web_server() as port:
        slow = [send(port, part(mine, each, 1_000, b"x")) for each in waiting]
        # Nine are refused at once, and three hold half of the slots; the others are somebody else's.
        answered, _, _ = select.select(slow, [], [], 20)
        deadline = time.monotonic() + 20
        while len(answered) < MANY - 3 and time.monotonic() < deadline:
            time.sleep(0.1)
            answered, _, _ = select.select(slow, [], [], 0)
        found = [(status, json.loads(body)["code"]) for status, _, body in map(answer, answered)]
        assert found == [(429, "uploads_busy")] * (MANY - 3)
        status, _, _ = answer(send(port, part(theirs, quick, 1_000, b"y" * 1_000)))
        assert status == 204
        for each in slow:
            each.close()
        # Their ends free the slots again.
        deadline = time.monotonic() + 20
        while (status := answer(send(port, part(mine, again, 1_000, b"z" * 1_000)))[0]) == 429:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert status == 204
