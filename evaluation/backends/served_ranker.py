"""Opening a model on one of the operator's own servers as one that ranks given replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from curation.prompts.rules import Message, Picture
from curation.wire.servers import ModelServer
from evaluation.backends.asks import Ask, Ranked, Ranker
from evaluation.backends.errors import (
    ModelReadsNoPictures,
    ModelServerAnswerUnfit,
    NoLogprobs,
    SystemRefusedInput,
    TokenizerNeeded,
)
from evaluation.backends.remote_ranking import SglangRanker, VllmRanker
from evaluation.backends.server_client import ServerClient
from evaluation.backends.serving import ServerFacts, refuse_hosted


class ServedRanker(Ranker):
    """A ranker with what its server reported, which can be given another model at any time."""

    def __init__(self, ranker: Ranker, client: ServerClient, facts: ServerFacts) -> None:
        self._ranker, self._client, self._facts = ranker, client, facts
        self._reads_pictures = False  # not known yet

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return the log-probabilities of complete candidates as the reply.

        Raises:
            ModelReadsNoPictures: The ask has a picture, and the server refuses a plain one, or drops it.
            SystemRefusedInput: The server refuses this ask.
        """
        if not self._reads_pictures and _has_picture(ask):
            self._probe_pictures()
        return self._ranker.rank(ask, candidates, count_end=count_end)

    def _probe_pictures(self) -> None:
        """Rank replies to a plain picture, so that a refusal of pictures is not taken for the fault of each input."""
        ask = Ask((Message("user", (Picture(), "?")),), Image.new("RGB", (224, 224), "red"))
        try:
            self._ranker.rank(ask, ("A", "B"))
            dropped = isinstance(self._ranker, SglangRanker) and self._ranker.drops_pictures(ask)
        except SystemRefusedInput as error:
            raise ModelReadsNoPictures(model=self._client.model) from error
        if dropped:
            raise ModelReadsNoPictures(model=self._client.model)
        self._reads_pictures = True

    def confirm(self) -> None:
        """Check that the server still serves the same model."""
        self._client.confirm(self._facts)

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        return {**self._ranker.describe(), "reported": self._facts}


def open_ranker(
    server: ModelServer, model: str, *, tokenizer: Path | None, parallel: int, seconds: float, retries: int
) -> ServedRanker:
    """Open a ranker on a server of the operator's own.

    Args:
        server: The server.
        model: The model's name on it.
        tokenizer: The folder of the model's tokenizer and chat template; only SGLang needs it.
        parallel: Requests at the same time.
        seconds: Time-out of a request.
        retries: Retries of a request.

    Raises:
        NoLogprobs: The server is a hosted one or of another kind, or returns none.
        TokenizerNeeded: The server is an SGLang, and there is no tokenizer.
        BackendFilesUnfit: The tokenizer's folder cannot be read.
        ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit, ModelNotServed: A request fails.
    """
    refuse_hosted(server)
    client = ServerClient(server, model, parallel=parallel, seconds=seconds, retries=retries)
    try:
        facts = client.fetch_facts()
    except ModelServerAnswerUnfit as error:
        raise NoLogprobs(server=server.name, reason=error.params["reason"]) from error

    def post(path: str, body: Mapping[str, Any]) -> object:
        return client.post(f"{server.url}{path}", body)

    if facts["speaks"] == "vllm":
        return ServedRanker(VllmRanker(server.name, model, post, parallel=parallel), client, facts)
    if tokenizer is None:
        raise TokenizerNeeded(server=server.name)
    from evaluation.backends.chat_writer import load_writer  # noqa: PLC0415  (transformers: seconds)

    return ServedRanker(SglangRanker(server.name, load_writer(tokenizer), post, parallel=parallel), client, facts)


def _has_picture(ask: Ask) -> bool:
    return ask.picture is not None or any(shot is not None for shot in ask.shots)
