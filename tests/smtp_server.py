"""A mail server for tests: SMTP on a socket of this machine, which keeps what it accepts and refuses on request."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

ANSWERS = {
    "EHLO": "250 tests",
    "HELO": "250 tests",
    "MAIL": "250 OK",
    "RCPT": "250 OK",
    "DATA": "354 Go ahead",
    "RSET": "250 OK",
    "QUIT": "221 Bye",
}


@dataclass
class MailServer:
    """A running server.

    Attributes:
        port: Where it listens.
        received: For each mail that came in whole, its recipients and the mail.
        replies: Other replies than usual, by command; ``BODY`` is the reply to a whole mail, empty to hang up instead.
        connections: How many clients have connected.
        hold: Set, a mail is accepted only once this is cleared by ``go``.
    """

    port: int = 0
    received: list[tuple[list[str], EmailMessage]] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)
    connections: int = 0
    whole: threading.Event = field(default_factory=threading.Event)
    hold: threading.Event | None = None

    @property
    def url(self) -> str:
        """The server as ``EMAIL_URL`` names it."""
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def mails(self) -> list[EmailMessage]:
        """The mails that came in."""
        return [mail for _, mail in self.received]


class _Dialogue(socketserver.StreamRequestHandler):
    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        site: MailServer = self.server.site  # type: ignore[attr-defined]
        site.connections += 1
        self.say(site.replies.get("HELLO", "220 tests"))
        recipients: list[str] = []
        while line := self.rfile.readline().decode().strip():
            command = line[:4].upper()
            reply = site.replies.get(command, ANSWERS.get(command, "502 What?"))
            self.say(reply)
            if command == "RCPT" and reply.startswith("250"):
                recipients.append(line[line.index("<") + 1 : line.index(">")])
            if command == "DATA" and reply.startswith("354"):
                if not self.body(site, recipients):
                    return
                recipients = []
            if command == "QUIT":
                return

    def body(self, site: MailServer, recipients: list[str]) -> bool:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        site.received.append((recipients, message_from_bytes(b"".join(lines), policy=policy.default)))  # type: ignore[arg-type]
        site.whole.set()
        if site.hold is not None:
            site.hold.wait(30)
        reply = site.replies.get("BODY", "250 Queued")
        if reply:
            self.say(reply)
        return bool(reply)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run a server while the block runs."""
    with _Server(("127.0.0.1", 0), _Dialogue) as server:
        site = MailServer(port=server.server_address[1])
        server.site = site  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()


def use(settings: object, site: MailServer) -> None:
    """Let the application send its mails to a server, as ``EMAIL_URL``, ``SITE_URL`` and ``EMAIL_FROM`` would."""
    values = {
        "MAIL_CONFIGURED": True,
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "127.0.0.1",
        "EMAIL_PORT": site.port,
        "EMAIL_TIMEOUT": 5,
        "SITE_URL": "https://lantern.example.org",
        "DEFAULT_FROM_EMAIL": "Lantern <lantern@example.org>",
    }
    for name, value in values.items():
        setattr(settings, name, value)
