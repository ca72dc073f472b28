"""How a request to a model server can fail, by what is known about its cost.

These are not shown to people: callers translate them into errors with codes of their own.
"""

from __future__ import annotations

import re
from typing import Final

# Control characters, lone surrogates, and controls that change the order in which a text is shown. A server's words go
# to pages and terminals, and to the database, which stores neither NUL nor lone surrogates.
_UNSHOWABLE: Final = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


class RequestFailed(Exception):
    """A request has no usable reply.

    Attributes:
        reason: One line for people, without the server's address and key.
        sends: How often the request was sent.
    """

    def __init__(self, reason: str, sends: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sends = sends


class NotConnected(RequestFailed):
    """No connection could be made, so the server never got the request."""


class Limited(RequestFailed):
    """The server refused every send because of its rate limit (429), or asks for a pause that is too long.

    Attributes:
        pause: Seconds until the server wants the next request; 0 if it does not say.
    """

    def __init__(self, reason: str, sends: int, pause: float = 0.0) -> None:
        super().__init__(reason, sends)
        self.pause = pause


class Rejected(RequestFailed):
    """The server answered with another status than 2xx, redirects included.

    Attributes:
        status: The HTTP status.
        code: The server's own code for the error, if it gives one.
    """

    def __init__(self, status: int, reason: str, sends: int, code: str = "") -> None:
        super().__init__(reason, sends)
        self.status = status
        self.code = code


class ReplyLost(RequestFailed):
    """The request was sent, and no whole reply came: whether the server did the work is unknown."""


class TimedOut(ReplyLost):
    """The whole reply did not arrive within the time-out."""


class ReplyUnreadable(ReplyLost):
    """A reply came that cannot be read: it is no JSON, or compressed although that was not asked for."""


class ReplyTooLarge(ReplyUnreadable):
    """The reply has more bytes than are read."""


class ReplyMalformed(ReplyUnreadable):
    """The reply is JSON of another form than documented."""


def shorten(text: str, max_length: int) -> str:
    """Shorten a text to one line of at most ``max_length`` characters, cut between words if possible.

    U+FFFD stands for characters that do not show, so that no text acts on a terminal or cannot be stored.
    """
    line = _UNSHOWABLE.sub("\ufffd", " ".join(text.split()))
    if len(line) <= max_length:
        return line
    head = line[: max_length - 1]
    end = head.rfind(" ")
    return (head[:end] if end > max_length // 2 else head).rstrip(" ,;:(") + "…"
