"""Endless forms of strangers against the real server, with and without a length: none reaches the disk."""

import json
import socket

import pytest

from tests.servers import answer, send, web_server

pytestmark = pytest.mark.django_db(transaction=True)
HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
MEGABYTE = b"a" * 1_000_000
FORM = "Content-Type: multipart/form-data; boundary=x\r\nCookie: csrftoken=" + "a" * 32 + "\r\n"

# The announced lengths of a body, and what is answered; chunks take precedence over a length.
LENGTHS = {
    "Content-Length: 2000000\r\n": (403, "csrf_failed"),
    "Content-Length: 2000000000\r\n": (413, "body_too_large"),
    "Transfer-Encoding: chunked\r\n": (403, "csrf_failed"),
    "Transfer-Encoding: chunked\r\nContent-Length: 10\r\n": (403, "csrf_failed"),
    "Content-Length: 2000000000\r\nTransfer-Encoding: chunked\r\n": (403, "csrf_failed"),
}


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def flood(connection: socket.socket, data: bytes, times: int) -> int:
    """Send until the server closes the connection; return how many times that went well."""
    for sent in range(times):
        try:
            connection.sendall(data)
        except OSError:
            return sent
    return times


def test_a_strangers_form_writes_nothing_to_the_disk(tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    before = temporary.stat().st_mtime_ns  # also changes when a file is created and removed
    found = {}
    with web_server(TMPDIR=str(temporary), MEDIA_ROOT=str(temporary)) as port:
        for page in ("/", "/_allauth/browser/v1/auth/login"):
            for lengths in LENGTHS:
                request = f"POST {page} HTTP/1.1\r\nHost: localhost\r\n{FORM}{lengths}\r\n".encode()
                chunked = "chunked" in lengths
                connection = send(port, request)
                # A length that is too large is answered before the body, which may then not be sent whole.
                flood(connection, chunk(HEAD + MEGABYTE) if chunked else HEAD + MEGABYTE, 1)
                status, _, body = answer(connection)
                found[page, lengths] = (status, json.loads(body)["code"])
                # The server closes the connection instead of reading on.
                assert flood(connection, chunk(MEGABYTE) if chunked else MEGABYTE, 100) < 100
                connection.close()
    assert found == {(page, lengths): refusal for page, _ in found for lengths, refusal in LENGTHS.items()}
    assert (temporary.stat().st_mtime_ns, list(temporary.iterdir())) == (before, [])
