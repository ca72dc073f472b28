"""A model server on this machine that speaks as vLLM or as SGLang does, with the demo's small encoder behind it.

Real sockets, another thread; faults are set by attributes. What it takes and answers follows the sources of vLLM 0.12
(``entrypoints/pooling``, ``entrypoints/openai``) and SGLang 0.5 (``entrypoints/openai/serving_embedding.py``,
``http_server.py``). Chat completions are answered by a function of the test.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import io
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from evaluation.backends.demo_encoder import DemoEncoder

MODEL = "lantern/demo"
TOO_LONG = "This model's maximum context length is {most} tokens. However, you requested {asked} tokens in the input."


class Refused(Exception):
    """A request that is answered with a status and words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass
class StandIn:
    """Attributes set what it does.

    ``faults`` are taken one a POST: a status, alone or with headers, or a name of ``FAULTS``. ``bend`` changes the
    vectors that were computed, ``says`` makes the text of a chat completion or its whole answer, ``generates`` the
    answer of SGLang's ``/generate``; ``raw`` is sent in place of any answer's JSON. ``asked`` keeps requests,
    ``bodies`` their bytes, ``headers`` those of each request, ``fetched`` the addresses of GETs, ``billed`` the texts
    of the chats that were worked on, ``most_at_once`` the requests that were under way together.
    """

    encoder: DemoEncoder | None = None
    speaks: str = "vllm"
    model: str = MODEL
    version: str = "0.12.0"
    key: str = ""
    unauthorized: str = "Unauthorized"
    longest: int = 120
    faults: list[Any] = field(default_factory=list)
    says: Callable[[dict[str, Any]], Any] = lambda body: f"re: {body['messages'][-1]['content']}"
    generates: Callable[[dict[str, Any]], dict[str, Any]] = lambda body: {}
    fetched: list[str] = field(default_factory=list)
    billed: list[str] = field(default_factory=list)
    bend: Callable[[np.ndarray], Any] = lambda vectors: vectors.tolist()
    hold: float = 0.0
    raw: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    most_at_once: int = 0
    under_way: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self.released = threading.Event()
        self.server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"own": self}))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    # --- What it says -------------------------------------------------------------------------------------------------

    def told(self, path: str) -> dict[str, Any]:
        if path == "/v1/models":
            card = {"id": self.model, "object": "model", "created": int(time.time()), "owned_by": self.speaks}
            more = {"root": f"/models/{self.model}", "parent": None, "max_model_len": self.longest, "permission": []}
            return {"object": "list", "data": [card | more]}
        if self.speaks == "vllm" and path == "/version":
            return {"version": self.version}
        if self.speaks == "sglang" and path == "/get_model_info":
            return {"model_path": self.model, "tokenizer_path": self.model, "weight_version": "default"}
        if self.speaks == "sglang" and path == "/server_info":
            return {"version": self.version, "dtype": "float32", "api_key": "not to be kept", "internal_states": [{}]}
        raise Refused(404, "Not Found")

    def embedded(self, body: dict[str, Any]) -> dict[str, Any]:
        if body["model"] != self.model and self.speaks == "vllm":
            raise Refused(404, f"The model `{body['model']}` does not exist.")
        vectors = np.stack([self._one(text, image) for text, image in self._inputs(body)])
        if body.get("dimensions"):
            vectors = vectors[:, : body["dimensions"]]
        rows = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(self.bend(vectors))]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": self.model, "data": rows[::-1], "usage": usage}

    def completed(self, body: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            self.billed.append(body["messages"][-1]["content"])
        answer = self.says(body)
        if isinstance(answer, dict):
            return answer
        message = {"role": "assistant", "content": answer, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        tokens = 10 + 90 * json.dumps(body).count('"image_url":')
        usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
        return {"id": "c", "object": "chat.completion", "model": self.model, "choices": [choice], "usage": usage}

    def _inputs(self, body: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
        if self.speaks == "sglang":
            for item in body["input"]:
                yield item["text"], item.get("image")
            return
        ((message),) = body["messages"]
        parts = {part["type"]: part for part in message["content"]}
        image = parts.get("image_url", {}).get("image_url", {}).get("url")
        yield parts.get("text", {}).get("text", ""), image

    def _one(self, text: str, image: str | None) -> np.ndarray:
        assert self.encoder is not None
        if image is None:
            if len(text) > self.longest:
                raise Refused(400, TOO_LONG.format(most=self.longest, asked=len(text)))
            return self.encoder.embed_texts([text])[0]
        head, _, data = image.partition(",")
        assert head == "data:image/png;base64"
        try:
            with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
                return self.encoder.embed_images([picture.convert("RGB")])[0]
        except OSError as error:
            raise Refused(400, str(error)) from error

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self.lock:
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
        try:
            yield
        finally:
            with self.lock:
                self.under_way -= 1

    def fault(self) -> Any:
        with self.lock:
            return self.faults.pop(0) if self.faults else None


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # with Python's 5, a connection of fifty that are made at once would be reset


class _Handler(BaseHTTPRequestHandler):
    own: StandIn
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.own.fetched.append(self.path)
        self._answer(lambda: self.own.told(self.path))

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(content)
        self.own.asked.append(body)
        self.own.bodies.append(content)
        self.own.headers.append({name.lower(): value for name, value in self.headers.items()})
        with self.own.counted():
            fault = self.own.fault()
            if isinstance(fault, str):
                self.close_connection = True
                with contextlib.suppress(OSError):  # the caller has gone
                    FAULTS[fault](self)
                return
            self.own.released.wait(self.own.hold)
            self._answer(lambda: self._worked(body), fault=fault)

    def _worked(self, body: dict[str, Any]) -> dict[str, Any]:
        if self.path.endswith("/chat/completions"):
            return self.own.completed(body)
        return self.own.generates(body) if self.path == "/generate" else self.own.embedded(body)

    def _answer(self, make: Callable[[], dict[str, Any]], *, fault: Any = None) -> None:
        self.more: dict[str, str] = {}
        if isinstance(fault, tuple):
            fault, self.more = fault
        try:
            self._refuse(fault)
            self._send(200, make())
        except Refused as refusal:
            error = {"message": str(refusal), "type": "BadRequestError", "param": None, "code": refusal.status}
            self._send(refusal.status, {"error": error} if self.own.speaks == "vllm" else {"object": "error"} | error)

    def _refuse(self, fault: int | None) -> None:
        if self.own.key and self.headers["Authorization"] != f"Bearer {self.own.key}":
            raise Refused(401, self.own.unauthorized)
        if fault is not None:
            raise Refused(fault, "busy")

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        content = (self.own.raw or json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status >= 429 and not self.more:
            self.send_header("Retry-After-Ms", "1")
        for name, value in self.more.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):  # the caller has gone
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass

    # --- Faults -------------------------------------------------------------------------------------------------------

    def drop(self) -> None:
        """The connection breaks before any answer."""
        self.connection.close()

    def hang(self) -> None:
        """No answer within the caller's patience."""
        self.own.released.wait(5)

    def cut(self) -> None:
        """Half of an answer, then the connection breaks."""
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n" + b'{"id": "'
        )

    def drip(self) -> None:
        """An answer of which a byte arrives now and then, and that never ends."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n")
        self._drip(b" ")

    def drip_head(self) -> None:
        """The same with the head of an answer."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        self._drip(b"x")

    def _drip(self, byte: bytes) -> None:
        for _ in range(200):
            self.wfile.write(byte)
            if self.own.released.wait(0.05):
                return

    def endless(self) -> None:
        """An answer of more bytes than anybody wants."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
        for _ in range(400):
            self.wfile.write(b" " * 100_000)

    def limited_endless(self) -> None:
        """A refusal because of the rate, with more words than anybody wants."""
        self.wfile.write(b"HTTP/1.1 429 Slow down\r\nRetry-After-Ms: 1\r\nConnection: close\r\n\r\n")
        for _ in range(400):
            self.wfile.write(b"x" * 100_000)

    def refused_drip(self) -> None:
        """A refusal whose words never end."""
        self.wfile.write(b"HTTP/1.1 400 No\r\nContent-Type: text/plain\r\nContent-Length: 999999\r\n\r\nno picture ")
        self._drip(b"x")

    def refused_squeezed(self) -> None:
        """A refusal whose words are compressed."""
        content = gzip.compress(b" " * 1_000_000)
        head = f"HTTP/1.1 503 No\r\nContent-Encoding: gzip\r\nContent-Length: {len(content)}\r\n\r\n"
        self.wfile.write(head.encode() + content)

    def redirect(self) -> None:
        """Redirect to another address of this server, where a request would be recorded."""
        there = f"{self.own.address}/v1/elsewhere/chat/completions"
        self.wfile.write(f"HTTP/1.1 307 Over there\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n".encode())

    def words(self) -> None:
        """An answer that is no JSON, with status 200."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>")

    def other_form(self) -> None:
        """JSON of another form than documented."""
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n" + b'{"choices": [7]}'
        )

    def filtered(self) -> None:
        """A content filter of the server refuses with a status."""
        content = b'{"error": {"code": "content_filter", "message": "The prompt was filtered."}}'
        head = f"HTTP/1.1 400 No\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self.wfile.write(head.encode() + content)

    def squeezed(self) -> None:
        """A compressed answer, which may be a thousand times larger than what arrives."""
        content = gzip.compress(b" " * 1_000_000 + b'{"choices": [{"message": {"content": "re"}}]}')
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(content)}\r\n\r\n"
        self.wfile.write(head.encode() + content)


FAULTS: dict[str, Callable[[_Handler], None]] = {
    name: getattr(_Handler, name)
    for name in (
        "drop",
        "hang",
        "cut",
        "drip",
        "drip_head",
        "endless",
        "redirect",
        "words",
        "other_form",
        "filtered",
        "squeezed",
        "limited_endless",
        "refused_drip",
        "refused_squeezed",
    )
}


def with_nan(vectors: np.ndarray) -> list[Any]:
    """JSON as Python writes it: NaN stands there as such."""
    return [[math.nan, *row[1:]] for row in vectors.tolist()]
