"""Embeddings from a model server over HTTP: vLLM and SGLang.

The ``openai`` package carries the requests: its connections, time-outs, and repeats with growing pauses (0.5 s doubled
up to 8 s, or what ``Retry-After`` says, up to two minutes). Its ``embeddings.create`` does not fit, because it has no
place for pictures: vLLM takes them as chat ``messages``, one embedding a request, SGLang as a list of
``{text, image}``. Both go through its ``post``; what a server says of itself outside of ``/v1`` through its ``get``.

vLLM: https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html (chat embeddings), ``/version``.
SGLang: https://docs.sglang.io (embedding models); ``/get_model_info`` and ``/get_server_info``, later without ``get_``.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

import httpx2
import numpy as np
import openai
from PIL import Image

from evaluation.backends.base import Vectors
from evaluation.backends.errors import (
    InputTooLong,
    InputUndecodable,
    ModelNotServed,
    ModelServerAnswerUnfit,
    ModelServerChanged,
    ModelServerRefused,
    ModelServerUnreachable,
    SystemRefusedInput,
    clipped,
)
from evaluation.backends.serving import ModelServer, Said, ServedModel, differences

Given = TypeVar("Given")

_CONNECT_SECONDS: Final = 5.0
_LONGEST_REASON: Final = 300  # characters of a server's own words

# What the package would tell about this machine, and send to whom its environment variables name.
_UNSAID: Final = {
    name: openai.Omit()
    for name in (
        *("X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch"),
        *("X-Stainless-Runtime", "X-Stainless-Runtime-Version", "X-Stainless-Async", "X-Stainless-Raw-Response"),
        *("X-Stainless-Retry-Count", "X-Stainless-Read-Timeout", "OpenAI-Organization", "OpenAI-Project"),
    )
}

_TOO_LONG = re.compile(
    r"maximum (context|model|input|sequence|allowed)? ?length|max_model_len|context length|too long", re.IGNORECASE
)
_UNDECODABLE = re.compile(
    r"cannot identify image|decod|invalid (base64|image)|(load|open|read|process) (the )?image|truncated", re.IGNORECASE
)


class Speech(NamedTuple):
    """How a kind of server is spoken to.

    Attributes:
        at_once: Inputs a request.
        about: Addresses outside of ``/v1`` where it tells of itself, each under all names it had; which fields are
            taken there, and what they are called here. Nothing else is kept: SGLang's hold its keys.
        body: What is asked for some inputs, each a text, and a picture as a data address or None.
    """

    at_once: int
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
    # Always the form with names: a bare list of texts would go past the server's chat template, and a picture without
    # a text would be given the word "padding".
    return {"input": [{"text": text, **({"image": picture} if picture else {})} for text, picture in inputs]}


SPEECHES: Final[Mapping[str, Speech]] = {
    "vllm": Speech(1, ((("/version",), {"version": "version"}),), _messages),
    "sglang": Speech(
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
    """A model on a server, asked as its record says."""

    def __init__(self, server: ModelServer, asked: ServedModel, *, at_once: int, seconds: float, retries: int) -> None:
        """Prepare to ask; nothing is sent yet.

        Args:
            server: Where.
            asked: Which model, and how.
            at_once: Requests under way at a time.
            seconds: For how long one may take.
            retries: How often one is sent again after 429, 5xx, a time-out or a broken connection.
        """
        self.server = server
        self.asked = asked
        self.at_once = at_once
        headers: dict[str, Any] = {**_UNSAID, "User-Agent": "lantern"}
        if not server.key:
            headers["Authorization"] = openai.Omit()
        self._headers = headers
        timeout = httpx2.Timeout(seconds, connect=_CONNECT_SECONDS)
        self._client = openai.OpenAI(
            api_key=server.key or "none",
            base_url=f"{server.url}/v1",
            timeout=timeout,
            max_retries=retries,
            # Neither a redirect nor a proxy of the environment may carry pictures elsewhere.
            http_client=httpx2.Client(timeout=timeout, follow_redirects=False, trust_env=False),
        )

    # --- What is served -----------------------------------------------------------------------------------------------

    def ask(self) -> Said:
        """What the server says of itself and of the model.

        Raises:
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit: It does not say.
            ModelNotServed: It serves no such model, or several where none was named.
        """
        cards = _rows(self._get("/models"), self)
        names = [str(card.get("id")) for card in cards]
        card = next((c for c in cards if self.asked.model in ("", c.get("id"))), None)
        if card is None or (not self.asked.model and len(cards) > 1):
            raise ModelNotServed(server=self.server.name, model=self.asked.model or "?", served=", ".join(names[:10]))
        speaks = str(card.get("owned_by", "")).lower()
        if speaks not in SPEECHES:
            raise self._unfit(f"it calls itself {speaks[:40] or 'nothing'}, not {' or '.join(SPEECHES)}")
        said: dict[str, Any] = {"speaks": speaks, "model": str(card["id"])}
        said |= {ours: card.get(ours) for ours in ("root", "parent", "max_model_len")}
        for addresses, fields in SPEECHES[speaks].about:
            told = next((t for t in (self._about(address) for address in addresses) if t is not None), {})
            said |= {ours: told.get(theirs) for theirs, ours in fields.items()}
        return {k: v for k, v in said.items() if isinstance(v, str | int) and not isinstance(v, bool)}

    def confirm(self) -> None:
        """See that what is served is still what was added.

        Raises:
            ModelServerChanged: It is not; the system has to be added again, which makes a revision of its own.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit, ModelNotServed.
        """
        now = self.ask()
        if now != self.asked.said:
            changes = "; ".join(differences(self.asked.said, now))
            raise ModelServerChanged(server=self.server.name, changes=changes[:_LONGEST_REASON])

    def _about(self, address: str) -> Mapping[str, Any] | None:
        """What an address outside of ``/v1`` tells; None where there is none, as behind some proxies."""
        try:
            told = self._get(f"{self.server.url}{address}")
        except ModelNotServed:
            return None
        return told if isinstance(told, Mapping) else {}

    # --- Embedding ----------------------------------------------------------------------------------------------------

    def embed_images(self, images: Sequence[Image.Image]) -> Vectors:
        """One vector a picture; pictures are sent as PNG, so that the server sees the very pixels."""
        return self._embed(images, lambda image: (self.asked.picture_text, _data_address(image)))

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """One vector a text, in the record's template."""
        return self._embed(texts, lambda text: (self.asked.text(text), None))

    def _embed(self, given: Sequence[Given], form: Callable[[Given], tuple[str, str | None]]) -> Vectors:
        if not given:
            return np.zeros((0, self.asked.dimension or 0), dtype="<f4")
        speech = SPEECHES[str(self.asked.said["speaks"])]
        parts = [given[first : first + speech.at_once] for first in range(0, len(given), speech.at_once)]

        def one(part: Sequence[Given]) -> Vectors:
            # Put into their form here, so that no more than what is under way lies in memory encoded.
            return self._vectors(speech.body([form(each) for each in part]), len(part))

        # The pool takes the next part when one is done; the first fault drops those not yet begun.
        with ThreadPoolExecutor(max_workers=self.at_once) as pool:
            rows = list(pool.map(one, parts))
        lengths = {part.shape[1] for part in rows}
        if len(lengths) > 1 or self.asked.dimension not in (None, *lengths):
            raise self._unfit(
                f"vectors of {sorted(lengths)} numbers where {self.asked.dimension or 'one length'} was due"
            )
        return self._unit(np.concatenate(rows))

    def _vectors(self, body: Mapping[str, Any], count: int) -> Vectors:
        whole: dict[str, Any] = {"model": self.asked.model, "encoding_format": "float", **body}
        if self.asked.dimensions is not None:
            whole["dimensions"] = self.asked.dimensions
        answer = self._carried(
            lambda: self._client.post("/embeddings", cast_to=object, body=whole, options={"headers": self._headers})
        )
        rows = _rows(answer, self)
        try:
            ordered = sorted(rows, key=lambda row: int(row["index"]))
            if [int(row["index"]) for row in ordered] != list(range(count)):
                raise self._unfit(f"{len(rows)} embeddings for {count} inputs")
            # What is no number becomes NaN and is the input's failure; what is no list is the server's.
            vectors = np.asarray([row["embedding"] for row in ordered], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._unfit(f"its embeddings are no lists of numbers ({type(error).__name__})") from error
        if vectors.ndim != 2 or vectors.shape[1] == 0:
            raise self._unfit("its embeddings are no lists of numbers")
        return vectors

    def _unit(self, vectors: Vectors) -> Vectors:
        if self.asked.normalise:
            with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
                lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
                vectors = (vectors / lengths).astype("<f4")
        return np.ascontiguousarray(vectors, dtype="<f4")

    def describe(self) -> dict[str, Any]:
        """Facts for the run's record."""
        said = self.asked.said
        return {
            "device": f"model server {self.server.name}",
            "dtype": said.get("dtype", self.asked.dtype),
            "dimension": self.asked.dimension,
            "longest_text": said.get("max_model_len"),
            "requests_at_once": self.at_once,
            **{key: value for key, value in said.items() if key != "dtype"},
        }

    # --- Carrying -----------------------------------------------------------------------------------------------------

    def _get(self, address: str) -> object:
        return self._carried(
            lambda: self._client.get(address, cast_to=object, options={"headers": self._headers}), is_input=False
        )

    def _carried(self, send: Callable[[], object], *, is_input: bool = True) -> object:
        """Send, and say what went wrong in our own codes; only what is about one input blames it."""
        try:
            return send()
        except openai.APIStatusError as error:
            raise self._refusal(error, is_input=is_input) from None
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            reason = f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
            raise self._away(reason) from None
        except (openai.OpenAIError, ValueError) as error:
            raise self._unfit(f"its answer cannot be read ({type(error).__name__})") from None

    def _refusal(self, error: openai.APIStatusError, *, is_input: bool) -> Exception:
        status, words = error.status_code, self._words(error)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in (
            HTTPStatus.TOO_MANY_REQUESTS,
            HTTPStatus.REQUEST_TIMEOUT,
            HTTPStatus.CONFLICT,
        ):
            return self._away(f"{status} {words}".strip())
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return ModelServerRefused(server=self.server.name, status=status)
        if status == HTTPStatus.NOT_FOUND:
            return ModelNotServed(server=self.server.name, model=self.asked.model or "?", served=words or "—")
        if not is_input or status < HTTPStatus.BAD_REQUEST:
            return self._unfit(f"{status} {words}".strip())
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _TOO_LONG.search(words):
            return InputTooLong(reason=words)
        return (InputUndecodable if _UNDECODABLE.search(words) else SystemRefusedInput)(reason=words)

    def _words(self, error: openai.APIStatusError) -> str:
        """The server's own message: vLLM puts it under ``error``, SGLang beside it."""
        body = error.body
        while isinstance(body, Mapping):
            body = body.get("error") or body.get("message") or body.get("detail") or ""
        return self._clean(str(body or ""))

    def _clean(self, words: str) -> str:
        if self.server.key:
            words = words.replace(self.server.key, "…")
        return clipped(words.replace(self.server.url, self.server.name), _LONGEST_REASON)

    def _away(self, reason: str) -> ModelServerUnreachable:
        return ModelServerUnreachable(server=self.server.name, reason=self._clean(reason))

    def _unfit(self, reason: str) -> ModelServerAnswerUnfit:
        return ModelServerAnswerUnfit(server=self.server.name, reason=self._clean(reason))


def _rows(answer: object, embedder: ServedEmbedder) -> list[Mapping[str, Any]]:
    rows = answer.get("data") if isinstance(answer, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise embedder._unfit("its answer holds no list under data")  # noqa: SLF001  (a part of it)
    return rows


def _data_address(image: Image.Image) -> str:
    held = io.BytesIO()
    # Lossless whatever the level; the lowest costs a fifth of the time for a little more on a local line.
    image.save(held, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()
