"""Embeddings from a model server over HTTP: vLLM and SGLang.

vLLM takes pictures as chat ``messages``, one embedding per request, SGLang as a list of ``{text, image}``.

vLLM: https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html (chat embeddings). SGLang:
https://docs.sglang.io (embedding models).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from PIL import Image

from curation.wire.servers import ModelServer
from evaluation.backends.base import Vectors
from evaluation.backends.chat_requests import data_address
from evaluation.backends.server_client import ServerClient
from evaluation.backends.serving import ServedModel, ServerFacts

Input = TypeVar("Input")


class Dialect(NamedTuple):
    """The request format of a kind of server.

    Attributes:
        inputs_per_request: Most inputs of one request.
        body: Builds the request body of some inputs; each is a text, and a picture as a data address or None.
    """

    inputs_per_request: int
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


DIALECTS: Final[Mapping[str, Dialect]] = {"vllm": Dialect(1, _messages), "sglang": Dialect(8, _items)}


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
        self._client = ServerClient(server, model.model, parallel=parallel, seconds=seconds, retries=retries)

    def fetch_facts(self) -> ServerFacts:
        """Fetch the server's facts about itself and the model; errors are those of :class:`ServerClient`."""
        return self._client.fetch_facts()

    def confirm(self) -> None:
        """Check that the server still serves the model that was added; another is added as a revision of its own."""
        self._client.confirm(self.served_model.facts)

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
            raise self._client.unfit(
                f"vectors of {sorted(lengths)} numbers where {self.served_model.dimension or 'one length'} was due"
            )
        return self._normalised(np.concatenate(rows))

    def _vectors(self, body: Mapping[str, Any], count: int) -> Vectors:
        whole: dict[str, Any] = {"model": self.served_model.model, "encoding_format": "float", **body}
        if self.served_model.dimensions is not None:
            whole["dimensions"] = self.served_model.dimensions
        rows = self._client.rows(self._client.post("/embeddings", whole))
        try:
            ordered = sorted(rows, key=lambda row: int(row["index"]))
            if [int(row["index"]) for row in ordered] != list(range(count)):
                raise self._client.unfit(f"{len(rows)} embeddings for {count} inputs")
            # A null becomes NaN, the input's failure; an embedding that is not a list is the server's failure.
            vectors = np.asarray([row["embedding"] for row in ordered], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._client.unfit(f"its embeddings are no lists of numbers ({type(error).__name__})") from error
        if vectors.ndim != 2 or vectors.shape[1] == 0:
            raise self._client.unfit("its embeddings are no lists of numbers")
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
