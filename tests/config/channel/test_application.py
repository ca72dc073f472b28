"""How a stream is sent and when it ends, without a server: the browser is a function."""

import asyncio

import pytest

from config.channel import application
from config.channel.application import Channel
from config.channel.requests import ChannelRequest
from config.channel.streams import HELLO, PING, Stream
from curation.core.live import Event

REQUEST = ChannelRequest("GET", "/events/", "localhost", "", "", "k")


class Browser:
    """Takes what is sent; from ``stops_after`` messages on it reads no more."""

    def __init__(self, stops_after: int = 1000) -> None:
        self.stops_after = stops_after
        self.messages: list[dict] = []

    async def send(self, message: dict) -> None:
        if len(self.messages) >= self.stops_after:
            await asyncio.sleep(60)
        self.messages.append(message)

    @property
    def bodies(self) -> list[bytes]:
        return [message["body"] for message in self.messages if message["type"] == "http.response.body"]


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(application, "PING_EVERY", 0.02)
    monkeypatch.setattr(application, "SEND_SECONDS", 0.05)
    monkeypatch.setattr(application, "STREAM_SECONDS", (0.1, 0.1))


def run(browser: Browser, *, during=None) -> Channel:
    channel, stream = Channel(), Stream(1, "k", "p")

    async def both() -> None:
        channel.streams.add(stream)
        sending = asyncio.create_task(channel._send_events(REQUEST, stream, browser.send))
        if during is not None:
            await asyncio.sleep(0.01)
            during(channel, stream)
        await asyncio.wait_for(sending, 5)

    asyncio.run(both())
    return channel


@pytest.mark.usefixtures("quick")
def test_a_stream_begins_with_hello_has_pings_and_ends_in_good_order_after_its_time():
    browser = Browser()
    run(browser)
    assert browser.messages[0]["status"] == 200
    assert browser.bodies[0] == HELLO
    assert set(browser.bodies[1:-1]) == {PING}
    assert 2 <= len(browser.bodies[1:-1]) <= 5
    assert browser.messages[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


@pytest.mark.usefixtures("quick")
def test_an_ended_stream_is_closed_at_once(monkeypatch):
    monkeypatch.setattr(application, "PING_EVERY", 60)
    monkeypatch.setattr(application, "STREAM_SECONDS", (60, 60))
    browser = Browser()
    run(browser, during=lambda channel, stream: channel.streams.end_all())
    assert browser.messages[-1]["more_body"] is False


@pytest.mark.usefixtures("quick")
def test_a_browser_that_does_not_read_is_cut():
    browser = Browser(stops_after=3)
    with pytest.raises(TimeoutError):
        run(browser, during=lambda channel, stream: channel._pass_on('{"people":[1],"topic":"lobby","id":1,"n":1}'))
    assert len(browser.messages) == 3


def test_events_are_counted_and_others_ignored(caplog):
    channel, stream = Channel(), Stream(1, "k", "p")
    channel.streams.add(stream)
    channel._pass_on('{"people":[1,2],"topic":"lobby","id":1,"n":1}')
    channel._pass_on('{"people":[1],"topic":"thread","id":1,"n":1}')
    assert channel.figures.sent == {"dialogue": 0, "lobby": 1, "typing": 0}
    assert "no event of this version" in caplog.text
    assert channel.streams.send(Event((1,), "lobby", 1, 1)) == 1


@pytest.mark.parametrize("fails", ["in_force", "record_presence"])
def test_when_sessions_cannot_be_checked_all_streams_end(monkeypatch, fails):
    monkeypatch.setattr(application, "CHECK_EVERY", 0.01)
    channel, stream = Channel(), Stream(1, "k", "p")

    async def answer(given):
        return {"k": "p"}

    async def refuse(given):
        raise OSError

    for name in ("in_force", "record_presence"):
        monkeypatch.setattr(channel.database, name, refuse if name == fails else answer)

    async def look() -> None:
        channel.streams.add(stream)
        work = asyncio.create_task(channel._look_after())
        assert await stream.take(5) == b""
        assert stream.has_ended
        work.cancel()

    asyncio.run(look())
