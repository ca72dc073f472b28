"""Ranking by likelihood with a model on a server: vLLM and SGLang give the log-probabilities of a given reply.

vLLM: a chat whose last message is the candidate, ``continue_final_message`` and ``prompt_logprobs: 0``. Its reply names
every token of the whole prompt, those of pictures included, so that nothing has to be known about its tokenizer. It
computes the prompt again for each candidate (``skip_reading_prefix_cache``), pictures excepted.

SGLang: ``/generate`` with ``logprob_start_len``, before which the cached prefix is used. The chat template and the
tokenizer are ours there, from a folder that the record names. Its positions count every token of a picture, of which
the prompt as we tokenise it has one: a first request asks for the length, and the candidate's tokens are compared with
those at the end of the reply.

Other servers, and hosted ones, return no log-probabilities of a given reply, and 0 must never stand for them. Each
server reports its kind itself.

vLLM 0.33: ``entrypoints/openai/chat_completion/protocol.py``, ``sampling_params.py``. SGLang 0.5.23:
``managers/io_struct.py``, ``managers/schedule_batch.py``. Read there, tried against a stand-in of both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from curation.prompts.rules import Picture
from curation.wire.errors import shorten
from evaluation.backends.asks import Ask, Ranked, Ranker
from evaluation.backends.candidates import ReplyFrame, Tokens, common_prefix, reply_frame, split
from evaluation.backends.chat_requests import content_of, data_address
from evaluation.backends.errors import (
    InputUndecodable,
    ModelNotServed,
    ModelServerAnswerUnfit,
    NoLogprobs,
    SystemRefusedInput,
    is_of_template,
)

#: Sends a request to an address below the server's root and returns the JSON of its reply.
Post = Callable[[str, Mapping[str, Any]], object]

T = TypeVar("T")

_PROBE: Final = "PROBE"
_CHAT: Final = "/v1/chat/completions"
_OTHER_TOKENS: Final = "its tokens are not those of the candidate"


class Scored(NamedTuple):
    """Tokens with their log-probabilities; the first token has none."""

    ids: Tokens
    values: list[float]
    texts: list[str]

    def sum_after(self, start: int) -> float:
        """Return the sum from a token on."""
        return sum(self.values[start:])

    def without_last(self) -> Scored:
        """Return all but the last token."""
        return Scored(self.ids[:-1], self.values[:-1], self.texts[:-1])


class VllmRanker(Ranker):
    """Ranks with a model behind vLLM."""

    def __init__(self, server: str, model: str, post: Post, *, parallel: int) -> None:
        """Ask for one log-probability, so that a server without them is refused at once.

        Args:
            server: The server's name for people.
            model: The model's name on the server.
            post: Sends requests.
            parallel: Requests at the same time.

        Raises:
            NoLogprobs: The server returns none.
        """
        self.server, self.model, self._post, self._parallel = server, model, post, parallel
        with _as_no_logprobs(server):
            self._end = self._find_end()

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return the log-probabilities of complete candidates as the reply.

        Raises:
            SystemRefusedInput: A candidate is empty.
            ModelServerAnswerUnfit: The server's tokens do not fit together.
        """
        _refuse_empty(candidates)
        messages = chat_messages(ask)
        # The end is sent even if it does not count, because it changes nothing before it: servers look for the reply as
        # the last place of its text in the rendered chat, and the end itself can hold that text. The letter D occurs in
        # <|END_OF_TURN_TOKEN|>.
        ending = self._end if count_end or self._end.strip() else ""
        work = [partial(self._scored, messages), *(partial(self._scored, messages, c + ending) for c in candidates)]
        prompt, *wholes = _parallel(self._parallel, work)
        if ending and any(whole.texts[-1] != ending for whole in wholes):
            raise ModelServerAnswerUnfit(server=self.server, reason="a candidate is not at the end of its tokens")
        if ending and not count_end:
            wholes = [whole.without_last() for whole in wholes]
        # A token can reach across the place where the prompt ends; the sums of all begin at the same token.
        start = min(common_prefix(prompt.ids, whole.ids) for whole in wholes)
        if any(len(whole.ids) <= start for whole in wholes):
            raise ModelServerAnswerUnfit(server=self.server, reason="a candidate is not at the end of its tokens")
        return _ranked(candidates, [(whole.sum_after(start), len(whole.ids) - start) for whole in wholes])

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        return {
            "device": f"model server {self.server}",
            "route": "vllm: prompt_logprobs",
            "requests_at_once": self._parallel,
            "reply_end": self._end,
        }

    def _find_end(self) -> str:
        """Return the text of the token with which the chat template ends a reply."""
        question = [{"role": "user", "content": "?"}]
        started = self._scored(question, _PROBE)
        if not any(started.values):
            raise NoLogprobs(server=self.server, reason="every one is 0")
        whole = self._request([*question, {"role": "assistant", "content": _PROBE}], {"add_generation_prompt": False})
        if whole.ids[: len(started.ids)] != started.ids or len(whole.ids) == len(started.ids):
            raise NoLogprobs(server=self.server, reason="its chat template does not show how a reply ends")
        return whole.texts[len(started.ids)]

    def _scored(self, messages: list[dict[str, Any]], reply: str | None = None) -> Scored:
        if reply is None:
            return self._request(messages, {"add_generation_prompt": True})
        continued = {"add_generation_prompt": False, "continue_final_message": True}
        return self._request([*messages, {"role": "assistant", "content": reply}], continued)

    def _request(self, messages: list[dict[str, Any]], template: Mapping[str, bool]) -> Scored:
        parameters = {"prompt_logprobs": 0, "max_tokens": 1, "temperature": 0}
        answer = self._post(_CHAT, {"model": self.model, "messages": messages, **parameters, **template})
        entries = answer.get("prompt_logprobs") if isinstance(answer, Mapping) else None
        if not entries:
            raise NoLogprobs(server=self.server, reason="the reply has no prompt_logprobs")
        # The first token has no entry. Prompts of one ask share it, because they share the template.
        tokens = [(-1, 0.0, ""), *(_only_token(entry, self.server) for entry in entries[1:])]
        return Scored([one[0] for one in tokens], [one[1] for one in tokens], [one[2] for one in tokens])


class SglangRanker(Ranker):
    """Ranks with a model behind SGLang, whose chat template and tokenizer are at hand here."""

    def __init__(self, server: str, writer: Any, post: Post, *, parallel: int) -> None:
        """Ask for one log-probability, so that a server without them is refused at once.

        Args:
            server: The server's name for people.
            writer: The model's tokenizer with its chat template.
            post: Sends requests.
            parallel: Requests at the same time.

        Raises:
            NoLogprobs: The server returns none.
        """
        self.server, self._post, self._parallel = server, post, parallel
        self._writer = writer
        self._reads_parts = self._template_reads_parts()
        self._frame: ReplyFrame = reply_frame(writer, self._rendered)
        prompt = self._encoded([{"role": "user", "content": "?"}])
        probe = split(writer, prompt, [_PROBE], self._frame, count_end=False)
        with _as_no_logprobs(server):
            values = self._values(probe.prefix, probe.suffixes[0], [], len(probe.prefix))
        if not any(values):
            raise NoLogprobs(server=server, reason="every one is 0")

    def rank(self, ask: Ask, candidates: Sequence[str], *, count_end: bool = True) -> Ranked:
        """Return the log-probabilities of complete candidates as the reply.

        Raises:
            SystemRefusedInput: A candidate is empty.
            ModelServerAnswerUnfit: The server's tokens are not the candidates'.
        """
        _refuse_empty(candidates)
        messages = chat_messages(ask)
        prompt, pictures = self._encoded(messages), _pictures(messages)
        parts = split(self._writer, prompt, candidates, self._frame, count_end=count_end)
        length = self._length(parts.prefix, pictures)
        work = [partial(self._values, parts.prefix, suffix, pictures, length) for suffix in parts.suffixes]
        rows = _parallel(self._parallel, work)
        return _ranked(candidates, [(sum(row), len(row)) for row in rows])

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record."""
        return {
            "device": f"model server {self.server}",
            "route": "sglang: logprob_start_len",
            "requests_at_once": self._parallel,
            "reply_lead": self._frame.lead,
            "reply_end": self._writer.convert_ids_to_tokens(self._frame.end),
        }

    def drops_pictures(self, ask: Ask) -> bool:
        """Whether the server drops the picture of an ask, which has to be large enough for more than one token."""
        messages = chat_messages(ask)
        prompt = self._encoded(messages)
        # In what is sent one token stands for a picture.
        return self._length(prompt, _pictures(messages)) == len(prompt)

    def _length(self, prefix: Tokens, pictures: list[str]) -> int:
        """Return the prefix's length on the server, with all tokens of its pictures; the server then has it cached."""
        answer = self._post("/generate", _generate(prefix, pictures))
        length = _about(answer).get("prompt_tokens")
        if not isinstance(length, int) or length < len(prefix):
            raise ModelServerAnswerUnfit(server=self.server, reason="it does not say how long the prompt is")
        return length

    def _values(self, prefix: Tokens, suffix: Tokens, pictures: list[str], length: int) -> list[float]:
        # The entry at the first position has no log-probability, so the last token of the prefix is asked for as well.
        parameters = {"return_logprob": True, "logprob_start_len": length - 1}
        answer = self._post("/generate", {**_generate(prefix + suffix, pictures), **parameters})
        entries = _about(answer).get("input_token_logprobs")
        if not entries:
            raise NoLogprobs(server=self.server, reason="the reply has no input_token_logprobs")
        # One more than the candidate has tokens: else the prefix was counted without its pictures, or is not cached.
        if len(entries) != len(suffix) + 1:
            raise ModelServerAnswerUnfit(server=self.server, reason=_OTHER_TOKENS)
        try:
            last = [(int(entry[1]), _finite(entry[0])) for entry in entries[1:]]
        except (TypeError, ValueError, IndexError) as error:
            raise _unfit(self.server, error) from None
        if [token for token, _ in last] != suffix:
            raise ModelServerAnswerUnfit(server=self.server, reason=_OTHER_TOKENS)
        return [value for _, value in last]

    def _encoded(self, messages: list[dict[str, Any]]) -> Tokens:
        options = {"tokenize": True, "add_generation_prompt": True, "return_dict": True}
        try:
            # Texts cannot write the tokens that part turns or stand for pictures.
            encoded = self._writer.apply_chat_template(self._chat(messages), sanitize_control_tokens=True, **options)
        except Exception as error:
            if not is_of_template(error):
                raise
            raise InputUndecodable(reason=shorten(f"the chat template refuses the prompt: {error}", 300)) from error
        return list(map(int, encoded["input_ids"]))

    def _rendered(self, messages: list[tuple[str, str]], reply_follows: bool) -> str:
        chat = self._chat([{"role": role, "content": text} for role, text in messages])
        return str(self._writer.apply_chat_template(chat, tokenize=False, add_generation_prompt=reply_follows))

    def _chat(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Messages as the chat template names their parts."""
        return [{**message, "content": self._content(message["content"])} for message in messages]

    def _content(self, content: Any) -> Any:
        if isinstance(content, str):
            return [{"type": "text", "text": content}] if self._reads_parts else content
        if not self._reads_parts:
            raise SystemRefusedInput(reason="the chat template has no place for a picture")
        return [{"type": "image"} if part["type"] == "image_url" else part for part in content]

    def _template_reads_parts(self) -> bool:
        """Whether the chat template wants a list of parts; templates for text alone want a string."""
        chat = [{"role": "user", "content": [{"type": "text", "text": _PROBE}]}]
        try:
            written = str(self._writer.apply_chat_template(chat, tokenize=False))
        except Exception as error:
            if is_of_template(error):
                return False
            raise
        return _PROBE in written and "'text'" not in written


@contextmanager
def _as_no_logprobs(server: str) -> Iterator[None]:
    """A first request that the server does not understand means that it returns no log-probabilities."""
    try:
        yield
    except (SystemRefusedInput, ModelNotServed, ModelServerAnswerUnfit) as error:
        raise NoLogprobs(server=server, reason=str(error)) from error


def chat_messages(ask: Ask) -> list[dict[str, Any]]:
    """Return an ask as the messages of a chat; pictures as PNG, which is lossless."""

    def address(place: Picture) -> str:
        picture = ask.picture_at(place)
        return "" if picture is None else data_address(picture)

    return [{"role": message.role, "content": content_of(message, address)} for message in ask.messages]


def _pictures(messages: list[dict[str, Any]]) -> list[str]:
    parts = [part for message in messages if not isinstance(message["content"], str) for part in message["content"]]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


def _generate(tokens: Tokens, pictures: list[str]) -> dict[str, Any]:
    body: dict[str, Any] = {"input_ids": tokens, "sampling_params": {"max_new_tokens": 1, "temperature": 0}}
    return {**body, "image_data": pictures} if pictures else body


def _about(answer: object) -> Mapping[str, Any]:
    facts = answer.get("meta_info") if isinstance(answer, Mapping) else None
    return facts if isinstance(facts, Mapping) else {}


def _only_token(entry: Any, server: str) -> tuple[int, float, str]:
    """Read an entry of ``prompt_logprobs: 0``: the one token that is there, its log-probability and its text."""
    try:
        ((token, facts),) = entry.items()
        return int(token), _finite(facts["logprob"]), str(facts.get("decoded_token") or "")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _unfit(server, error) from None


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number) or number > 1e-6:
        raise ValueError(f"{number} is no log-probability")
    return number


def _unfit(server: str, error: Exception) -> ModelServerAnswerUnfit:
    return ModelServerAnswerUnfit(server=server, reason=f"its log-probabilities cannot be read ({error})")


def _refuse_empty(candidates: Sequence[str]) -> None:
    if not all(candidates):
        raise SystemRefusedInput(reason="a candidate is empty")


def _parallel(most: int, work: Sequence[Callable[[], T]]) -> list[T]:
    with ThreadPoolExecutor(max_workers=most) as pool:
        return list(pool.map(lambda each: each(), work))


def _ranked(candidates: Sequence[str], sums: Sequence[tuple[float, int]]) -> Ranked:
    lengths = tuple(len(candidate.encode()) for candidate in candidates)
    return Ranked(tuple(value for value, _ in sums), tuple(count for _, count in sums), lengths)
