"""A model server on this machine that speaks as vLLM or as SGLang does, with the demo's small encoder behind it.

Real sockets, another thread; faults are set by attributes. What it takes and answers follows the sources of vLLM 0.12
(``entrypoints/pooling``) and SGLang 0.5 (``entrypoints/openai/serving_embedding.py``, ``http_server.py``).
"""

from __future__ import annotations

import base64
import io
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np
from PIL import Image

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

    ``faults`` are taken one a request to ``/v1/embeddings``: a status, ``drop`` (the line breaks), ``hang`` (no answer
    within the caller's patience). ``bend`` changes the vectors that were computed. ``asked`` keeps bodies, ``headers``
    those of each request, ``most_at_once`` the requests that were under way together.
    """

    encoder: DemoEncoder
    speaks: str
    model: str = MODEL
    version: str = "0.12.0"
    key: str = ""
    longest: int = 120
    faults: list[Any] = field(default_factory=list)
    bend: Callable[[np.ndarray], Any] = lambda vectors: vectors.tolist()
    hold: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    most_at_once: int = 0
    under_way: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        self.released = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"own": self}))
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


class _Handler(BaseHTTPRequestHandler):
    own: StandIn
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(lambda: self.own.told(self.path))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.own.asked.append(body)
        self.own.headers.append({name.lower(): value for name, value in self.headers.items()})
        with self.own.counted():
            fault = self.own.fault()
            if fault == "drop":
                self.close_connection = True
                self.connection.close()
                return
            if fault == "hang":
                self.own.released.wait(5)
                self.close_connection = True
                return
            self.own.released.wait(self.own.hold)
            self._answer(lambda: self.own.embedded(body), fault=fault)

    def _answer(self, make: Callable[[], dict[str, Any]], *, fault: int | None = None) -> None:
        try:
            self._refuse(fault)
            self._send(200, make())
        except Refused as refusal:
            error = {"message": str(refusal), "type": "BadRequestError", "param": None, "code": refusal.status}
            self._send(refusal.status, {"error": error} if self.own.speaks == "vllm" else {"object": "error"} | error)

    def _refuse(self, fault: int | None) -> None:
        if self.own.key and self.headers["Authorization"] != f"Bearer {self.own.key}":
            raise Refused(401, "Unauthorized")
        if fault is not None:
            raise Refused(fault, "busy")

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status >= 429:
            self.send_header("Retry-After-Ms", "1")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def with_nan(vectors: np.ndarray) -> list[Any]:
    """JSON as Python writes it: NaN stands there as such."""
    return [[math.nan, *row[1:]] for row in vectors.tolist()]
