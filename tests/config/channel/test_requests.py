"""Which requests the live channel answers, without a server."""

import pytest

from config.channel.application import Channel
from config.channel.requests import ChannelRequest
from config.watch import metrics

PAGE = "http://localhost:8000"


@pytest.fixture
def apart(settings):
    """The channel on another origin than the pages, as the launcher starts it."""
    settings.LIVE_PAGE_ORIGIN = PAGE
    settings.ALLOWED_HOSTS = ["localhost"]


def request(path="/events/", *, method="GET", **headers):
    fields = {"host": "localhost:8001"} | headers
    pairs = [(name.encode(), value.encode("latin-1")) for name, value in fields.items()]
    return ChannelRequest.of({"method": method, "path": path, "headers": pairs})


def status(*args, **more):
    refusal = Channel._refusal(request(*args, **more))
    return refusal.status if refusal else 200


@pytest.mark.usefixtures("apart")
def test_addresses_methods_and_hosts(monkeypatch):
    monkeypatch.setattr(metrics, "may_read", lambda authorization: authorization == "Bearer right")
    assert (status(), status("/events/health")) == (200, 200)
    assert [status(path) for path in ("/", "/events", "/events/x", "/events/metrics", "/api/v1/session")] == [404] * 5
    assert [status("/events/metrics", authorization=f"Bearer {word}") for word in ("right", "wrong")] == [200, 404]
    assert [status(method=method) for method in ("POST", "HEAD", "OPTIONS", "DELETE", "X")] == [405] * 5
    assert [status(host=host) for host in ("evil.org", "", "localhost.evil.org", "127.0.0.1:8001")] == [400] * 4


@pytest.mark.usefixtures("apart")
def test_only_pages_of_the_site_and_of_the_one_origin_are_answered():
    assert [status(origin=origin) for origin in (PAGE, "http://localhost:8001")] == [200, 200]
    strange = (
        "null",
        "http://localhost",
        "http://localhost:80001",
        f"{PAGE}/",
        "HTTP://LOCALHOST:8000",
        "https://e.org",
        "http://[",
        "http://[::1",
    )
    assert [status(origin=origin) for origin in strange] == [403] * len(strange)


@pytest.mark.usefixtures("apart")
def test_only_that_origin_is_named_in_answers():
    def named(**headers):
        pairs = dict(request(**headers).headers("text/plain"))
        return pairs.get(b"access-control-allow-origin"), pairs.get(b"access-control-allow-credentials"), pairs[b"vary"]

    assert named(origin=PAGE) == (PAGE.encode(), b"true", b"Origin")
    assert named() == named(origin="https://e.org") == (None, None, b"Origin")


def test_behind_one_name_no_other_origin_is_answered(settings):
    settings.LIVE_PAGE_ORIGIN = ""
    settings.ALLOWED_HOSTS = ["localhost"]
    assert (status(), status(origin="http://localhost:8001")) == (200, 200)
    assert status(origin=PAGE) == 403
    assert b"vary" not in dict(request().headers("text/plain"))


def test_the_session_is_read_of_its_cookie_alone(settings):
    key = settings.SESSION_COOKIE_NAME
    assert request(cookie=f"a=1; {key}=abc; b=2").session_key == "abc"
    assert request(cookie="a=1").session_key == request().session_key == ""
    assert request(cookie="\xff\xfe;;=").session_key == ""
