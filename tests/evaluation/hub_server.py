"""A model hub on this machine: the part of its interface that fetching uses, with repositories that a test makes.

Small files are answered at once, large ones through a redirect to another host's signed address, as the public hub
does it; both take ranges. Faults are set by attributes.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = (".safetensors", ".bin")


@dataclass
class Repository:
    """Files by name, and the refs that name its one commit."""

    files: dict[str, bytes]
    commit: str = COMMIT
    refs: tuple[str, ...] = ("main",)
    gated: bool = False

    @classmethod
    def of(cls, folder: Path, **more) -> Repository:
        """A folder's files, with what a repository holds besides."""
        files = {f.name: f.read_bytes() for f in sorted(folder.iterdir()) if f.is_file()}
        return cls({**files, "README.md": b"# It", "onnx/model.safetensors": b"for another program"}, **more)


@dataclass
class HubServer:
    """Attributes set what it does: ``cut`` ends the first answer for a name after so many bytes, ``alter`` changes a
    name's content on its way; ``asked`` is what it was asked, with ranges, ``tokens`` who said who they are where.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    alter: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    tokens: set[tuple[str, str | None]] = field(default_factory=set)

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"hub": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def fetched(self, name: str) -> list[str]:
        """The ranges that were asked of a file's content, ``-`` for the whole."""
        return [
            r
            for method, path, r in self.asked
            if method == "GET" and path.endswith(f"/{name}") and "/store/" not in path
        ]


def git_name(content: bytes) -> str:
    """What git calls a content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(head=True)

    def do_GET(self) -> None:
        self._answer(head=False)

    def _answer(self, *, head: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.asked.append((self.command, path, self.headers.get("Range", "-")))
        where = "store" if path.startswith("/store/") else "hub"
        self.hub.tokens.add((where, self.headers.get("Authorization")))
        if where == "store":
            _, _, sha256, name = path.split("/", 3)
            for repository in self.hub.repositories.values():
                if name in repository.files and hashlib.sha256(repository.files[name]).hexdigest() == sha256:
                    return self._content(name, repository.files[name], {}, head=head)
            return self._refuse(404, "EntryNotFound")
        info = re.fullmatch(r"/api/models/([^/]+/[^/]+)/revision/(.+)", path)
        file = re.fullmatch(r"/([^/]+/[^/]+)/resolve/(refs/pr/\d+|[^/]+)/(.+)", path)
        asked = info or file
        repository = self.hub.repositories.get(asked[1]) if asked else None
        if repository is None:
            return self._refuse(401, "RepoNotFound")
        if repository.gated:
            return self._refuse(403, "GatedRepo")
        if asked[2] not in (*repository.refs, repository.commit):
            return self._refuse(404, "RevisionNotFound")
        if info:
            return self._info(asked[1], repository)
        return self._file(repository, asked[3], head=head)

    def _info(self, hub_id: str, repository: Repository) -> None:
        siblings = []
        for name, content in repository.files.items():
            row = {"rfilename": name, "size": len(content), "blobId": git_name(content)}
            if name.endswith(LARGE):
                sha256 = hashlib.sha256(content).hexdigest()
                pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\n".encode()
                row["blobId"] = git_name(pointer)
                row["lfs"] = {"sha256": sha256, "size": len(content), "pointerSize": len(pointer)}
            siblings.append(row)
        body = json.dumps({"id": hub_id, "sha": repository.commit, "siblings": siblings}).encode()
        self._send(200, {"Content-Type": "application/json"}, body)

    def _file(self, repository: Repository, name: str, *, head: bool) -> None:
        content = repository.files.get(name)
        if content is None:
            return self._refuse(404, "EntryNotFound")
        commit = {"X-Repo-Commit": repository.commit}
        if not name.endswith(LARGE):
            return self._content(name, content, {**commit, "ETag": f'"{git_name(content)}"'}, head=head)
        sha256 = hashlib.sha256(content).hexdigest()
        there = f"http://localhost:{self.server.server_address[1]}/store/{sha256}/{name}"
        linked = {"X-Linked-Etag": f'"{sha256}"', "X-Linked-Size": str(len(content)), "Location": there}
        return self._send(302, {**commit, **linked}, b"")

    def _content(self, name: str, content: bytes, headers: dict[str, str], *, head: bool) -> None:
        content = self.hub.alter.get(name, content)
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        status, first = (206, int(asked[1])) if asked else (200, 0)
        if asked:
            headers = {**headers, "Content-Range": f"bytes {first}-{len(content) - 1}/{len(content)}"}
        body = content[first:]
        cut = None if head else self.hub.cut.pop(name, None)
        self._send(status, {**headers, "Accept-Ranges": "bytes"}, body, only_head=head, cut=cut)

    def _refuse(self, status: int, code: str) -> None:
        self._send(status, {"X-Error-Code": code}, b"{}")

    def _send(self, status, headers, body, *, only_head=False, cut=None) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and not only_head:
            self.wfile.write(body if cut is None else body[:cut])
        if cut is not None:
            self.wfile.flush()
            self.close_connection = True
