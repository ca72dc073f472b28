"""Embeddings from a model server over HTTP: vLLM and SGLang.

``curation/wire/transport.py`` sends the requests, with retries after growing pauses (0.5 s doubled up to 8 s, or
``Retry-After``, up to two minutes). vLLM takes pictures as chat ``messages``, one embedding per request, SGLang as a
list of ``{text, image}``. Servers report facts outside of ``/v1``.

vLLM: https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html (chat embeddings), ``/version``.
SGLang: https://docs.sglang.io (embedding models); ``/get_model_info`` and ``/get_server_info``, later without ``get_``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from PIL import Image

from curation.wire.errors import Rejected, ReplyUnreadable, RequestFailed, shorten
from curation.wire.servers import ModelServer
from curation.wire.transport import Answer, Transport
from evaluation.backends.base import Vectors
from evaluation.backends.chat_requests import data_address
from evaluation.backends.errors import (
    InputTooLong,
    InputUndecodable,
    ModelNotServed,
    ModelServerAnswerUnfit,
    ModelServerChanged,
    ModelServerRefused,
    ModelServerUnreachable,
    SystemRefusedInput,
)
from evaluation.backends.serving import ServedModel, ServerFacts, differences

Input = TypeVar("Input")

_LONGEST_REASON: Final = 300  # characters of a server's own words

TOO_LONG = re.compile(
    r"maximum (context|model|input|sequence|allowed)? ?length|max_model_len|context length|too long", re.IGNORECASE
)
_UNDECODABLE = re.compile(
    r"cannot identify image|decod|invalid (base64|image)|(load|open|read|process) (the )?image|truncated", re.IGNORECASE
)


class Dialect(NamedTuple):
    """The request format of a kind of server.

    Attributes:
        inputs_per_request: Most inputs of one request.
        about: Addresses outside of ``/v1`` with the server's facts, each under all names it has had, and the fields to
            keep with our names for them. Nothing else is kept, because SGLang's answers contain its keys.
        body: Builds the request body of some inputs; each is a text, and a picture as a data address or None.
    """

    inputs_per_request: int
    about: tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]
    body: Callable[[Sequence[tuple[str, str | None]]], dict[str, Any]]


def _messages(inputs: Sequence[tuple[str, str | None]]) -> dict[str, Any]:
    ((text, picture),) = inputs
    content: list[dict[str, Any]] = []
    if picture is not None:
        content.append({"type": "image_url", "image_url": {"url": picture}})
    if text:
        content.append({"type": "text", "text": text})
    return {"messages": [{"role": "user", "content": content}]}


def _items(inputs: Sequence[tuple[str, str | None]]) -> dict[str, Any]:
    # Always dictionaries: a plain list of texts would bypass the server's chat template, and for a picture without a
    # text the server would insert the word "padding".
    return {"input": [{"text": text, **({"image": picture} if picture else {})} for text, picture in inputs]}


DIALECTS: Final[Mapping[str, Dialect]] = {
    "vllm": Dialect(1, ((("/version",), {"version": "version"}),), _messages),
    "sglang": Dialect(
        8,
        (
            (
                ("/get_model_info", "/model_info"),
                {"model_path": "model_path", "tokenizer_path": "tokenizer_path", "weight_version": "weight_version"},
            ),
            (
                ("/get_server_info", "/server_info"),
                {
                    "version": "version",
                    "dtype": "dtype",
                    "quantization": "quantization",
                    "revision": "revision",
                    "context_length": "context_length",
                },
            ),
        ),
        _items,
    ),
}


class ServedEmbedder:
    """A model on a server, requested with its recorded settings."""

    def __init__(self, server: ModelServer, model: ServedModel, *, parallel: int, seconds: float, retries: int) -> None:
        """Prepare requests; this sends nothing yet.

        Args:
            server: The server.
            model: The model and its settings.
            parallel: Requests at the same time.
            seconds: Timeout of one request.
            retries: Retries of a request after 429, 5xx, a timeout or a broken connection.
        """
        self.server = server
        self.served_model = model
        self.parallel = parallel
        self._sends = 1 + retries
        self._transport = Transport(server, parallel=parallel, seconds=seconds)

    # --- What is served -----------------------------------------------------------------------------------------------

    def fetch_facts(self) -> ServerFacts:
        """Fetch the server's facts about itself and the model.

        Raises:
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit: The request fails.
            ModelNotServed: The server does not serve the model, or serves several and the system names none.
        """
        cards = _rows(self._get("/models"), self)
        names = [str(card.get("id")) for card in cards]
        card = next((c for c in cards if self.served_model.model in ("", c.get("id"))), None)
        if card is None or (not self.served_model.model and len(cards) > 1):
            raise ModelNotServed(
                server=self.server.name, model=self.served_model.model or "?", served=", ".join(names[:10])
            )
        dialect = str(card.get("owned_by", "")).lower()
        if dialect not in DIALECTS:
            raise self._unfit_answer(f"it calls itself {dialect[:40] or 'nothing'}, not {' or '.join(DIALECTS)}")
        facts: dict[str, Any] = {"speaks": dialect, "model": str(card["id"])}
        facts |= {ours: card.get(ours) for ours in ("root", "parent", "max_model_len")}
        for addresses, renames in DIALECTS[dialect].about:
            fields = next((t for t in (self._about(address) for address in addresses) if t is not None), {})
            facts |= {ours: fields.get(theirs) for theirs, ours in renames.items()}
        return {k: v for k, v in facts.items() if isinstance(v, str | int) and not isinstance(v, bool)}

    def confirm(self) -> None:
        """Check that the server still serves the model that was added.

        Raises:
            ModelServerChanged: It does not; the system must be added again, as a revision of its own.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit, ModelNotServed.
        """
        facts = self.fetch_facts()
        if facts != self.served_model.facts:
            changes = "; ".join(differences(self.served_model.facts, facts))
            raise ModelServerChanged(server=self.server.name, changes=changes[:_LONGEST_REASON])

    def _about(self, address: str) -> Mapping[str, Any] | None:
        """Fetch an address outside of ``/v1``; None if it does not exist, as behind some proxies."""
        try:
            answer = self._get(f"{self.server.url}{address}")
        except ModelNotServed:
            return None
        return answer if isinstance(answer, Mapping) else {}

    # --- Embedding ----------------------------------------------------------------------------------------------------

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """Return one vector per picture; requests send PNG, which is lossless."""
        return self._embed(images, lambda image: (self.served_model.picture_text, data_address(image)))

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, in the model's template."""
        return self._embed(texts, lambda text: (self.served_model.text(text), None))

    def _embed(self, inputs: Sequence[Input], request_form: Callable[[Input], tuple[str, str | None]]) -> Vectors:
        if not inputs:
            return np.zeros((0, self.served_model.dimension or 0), dtype="<f4")
        dialect = DIALECTS[str(self.served_model.facts["speaks"])]
        parts = [
            inputs[first : first + dialect.inputs_per_request]
            for first in range(0, len(inputs), dialect.inputs_per_request)
        ]

        def embed_part(part: Sequence[Input]) -> Vectors:
            # Encoding happens here, so that only the pictures of running requests are in memory encoded.
            return self._vectors(dialect.body([request_form(each) for each in part]), len(part))

        # The first error cancels the parts that have not started.
        with ThreadPoolExecutor(max_workers=self.parallel) as pool:
            rows = list(pool.map(embed_part, parts))
        lengths = {part.shape[1] for part in rows}
        if len(lengths) > 1 or self.served_model.dimension not in (None, *lengths):
            raise self._unfit_answer(
                f"vectors of {sorted(lengths)} numbers where {self.served_model.dimension or 'one length'} was due"
            )
        return self._normalised(np.concatenate(rows))

    def _vectors(self, body: Mapping[str, Any], count: int) -> Vectors:
        whole: dict[str, Any] = {"model": self.served_model.model, "encoding_format": "float", **body}
        if self.served_model.dimensions is not None:
            whole["dimensions"] = self.served_model.dimensions
        answer = self._send(lambda: self._transport.post("/embeddings", whole, sends=self._sends, free=True))
        rows = _rows(answer, self)
        try:
            ordered = sorted(rows, key=lambda row: int(row["index"]))
            if [int(row["index"]) for row in ordered] != list(range(count)):
                raise self._unfit_answer(f"{len(rows)} embeddings for {count} inputs")
            # A null becomes NaN, the input's failure; an embedding that is not a list is the server's failure.
            vectors = np.asarray([row["embedding"] for row in ordered], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._unfit_answer(f"its embeddings are no lists of numbers ({type(error).__name__})") from error
        if vectors.ndim != 2 or vectors.shape[1] == 0:
            raise self._unfit_answer("its embeddings are no lists of numbers")
        return vectors

    def _normalised(self, vectors: Vectors) -> Vectors:
        if self.served_model.normalise:
            with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
                lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
                vectors = (vectors / lengths).astype("<f4")
        return np.ascontiguousarray(vectors, dtype="<f4")

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        facts = self.served_model.facts
        return {
            "device": f"model server {self.server.name}",
            "dtype": facts.get("dtype", self.served_model.dtype),
            "dimension": self.served_model.dimension,
            "longest_text": facts.get("max_model_len"),
            "requests_at_once": self.parallel,
            **{key: value for key, value in facts.items() if key != "dtype"},
        }

    # --- Carrying -----------------------------------------------------------------------------------------------------

    def _get(self, address: str) -> object:
        return self._send(lambda: self._transport.get(address, sends=self._sends), is_input=False)

    def _send(self, send: Callable[[], Answer], *, is_input: bool = True) -> object:
        """Send a request and translate errors into our own; only errors about an input name the input as cause."""
        try:
            return send().body
        except Rejected as error:
            raise self._rejected(error, is_input=is_input) from None
        except ReplyUnreadable as error:
            raise self._unfit_answer(error.reason) from None
        except RequestFailed as error:
            raise ModelServerUnreachable(server=self.server.name, reason=error.reason) from None

    def _rejected(self, error: Rejected, *, is_input: bool) -> Exception:
        status, words = error.status, error.reason
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT):
            return ModelServerUnreachable(server=self.server.name, reason=f"{status} {words}".strip())
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return ModelServerRefused(server=self.server.name, status=status)
        if status == HTTPStatus.NOT_FOUND:
            return ModelNotServed(server=self.server.name, model=self.served_model.model or "?", served=words or "—")
        if not is_input or status < HTTPStatus.BAD_REQUEST:
            return self._unfit_answer(f"{status} {words}".strip())
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or TOO_LONG.search(words):
            return InputTooLong(reason=words)
        return (InputUndecodable if _UNDECODABLE.search(words) else SystemRefusedInput)(reason=words)

    def _unfit_answer(self, reason: str) -> ModelServerAnswerUnfit:
        return ModelServerAnswerUnfit(server=self.server.name, reason=shorten(reason, _LONGEST_REASON))


def _rows(answer: object, embedder: ServedEmbedder) -> list[Mapping[str, Any]]:
    rows = answer.get("data") if isinstance(answer, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise embedder._unfit_answer("its answer holds no list under data")  # noqa: SLF001  (a part of it)
    return rows
