"""Candidates as tokens: where a reply begins, with which tokens, and with which token it ends.

A candidate is not tokenised alone, because tokens can merge across the place where the prompt ends: after ``答案:``
the tokenizer of Qwen reads ``A`` as the one token ``:A``. The end of the prompt and the candidate are tokenised as one
text, and the prompt is cut back to the tokens that it shares with all candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from evaluation.backends.errors import BackendFilesUnfit, SystemRefusedInput

Tokens = list[int]
Render = Callable[[list[tuple[str, str]], bool], str]

_PROBE: Final = "PROBE"
# Tokens of the prompt's end that are tokenised again; none of the known tokenizers merges further back.
_LONGEST_TAIL: Final = 24


class ReplyFrame(NamedTuple):
    """What a chat template writes around a reply.

    Attributes:
        lead: Between the prompt's end and the reply, for example the blank after ``ASSISTANT:``.
        end: The token that ends a reply.
    """

    lead: str
    end: int


class Split(NamedTuple):
    """A prompt and its candidates as tokens.

    Attributes:
        prefix: The tokens that the prompt shares with all candidates.
        kept: How many of them, from the first, are the prompt's own.
        suffixes: Each candidate's tokens after the prefix; none is empty.
    """

    prefix: Tokens
    kept: int
    suffixes: list[Tokens]


def reply_frame(tokenizer: Any, render: Render) -> ReplyFrame:
    """Read from a chat template how a reply begins and ends.

    Args:
        tokenizer: The model's tokenizer.
        render: The chat template that prompts go through, from texts by role and whether the reply is to follow.

    Raises:
        BackendFilesUnfit: Neither the template nor the tokenizer knows a token that ends a reply.
    """
    prompt = render([("user", "?")], True)
    whole = render([("user", "?"), ("assistant", _PROBE)], False)
    lead = after = ""
    if whole.startswith(prompt) and _PROBE in whole[len(prompt) :]:
        lead, _, after = whole[len(prompt) :].partition(_PROBE)
    following = tokenizer(after.strip(), add_special_tokens=False)["input_ids"] if after.strip() else []
    if following and following[0] in tokenizer.all_special_ids:
        return ReplyFrame(lead, int(following[0]))
    if tokenizer.eos_token_id is None:
        raise BackendFilesUnfit(folder=tokenizer.name_or_path or "?", reason="its tokenizer has no token for the end")
    return ReplyFrame(lead, int(tokenizer.eos_token_id))


def split(tokenizer: Any, prompt: Tokens, candidates: Sequence[str], frame: ReplyFrame, *, count_end: bool) -> Split:
    """Split prompt and candidates at the last token that they share.

    Args:
        tokenizer: The model's tokenizer.
        prompt: The tokens of the prompt, which ends where the reply begins.
        candidates: Complete replies; special tokens in them are read as ordinary text.
        frame: How a reply begins and ends.
        count_end: Whether the end token belongs to each candidate.

    Raises:
        SystemRefusedInput: A candidate is empty.
    """
    if not all(candidates):
        raise SystemRefusedInput(reason="a candidate is empty")
    tail = _tail(prompt, set(tokenizer.all_special_ids))
    text = tokenizer.decode(tail, skip_special_tokens=False, clean_up_tokenization_spaces=False)
    alone, led, *joint = _encoded(tokenizer, [text, text + frame.lead, *(text + frame.lead + c for c in candidates)])
    shared = min(common_prefix(led, tokens) for tokens in joint)
    from_prompt = min(common_prefix(led, alone), shared)
    dropped = len(alone) - from_prompt
    # The first tokens of a tail that begins within a word can differ from the prompt's. That is harmless unless the
    # cut reaches them.
    if alone[len(alone) - dropped :] != tail[len(tail) - dropped :]:
        raise ValueError("the prompt's end is tokenised differently alone and in the prompt")
    end = [frame.end] if count_end else []
    kept = len(prompt) - dropped
    return Split(prompt[:kept] + led[from_prompt:shared], kept, [tokens[shared:] + end for tokens in joint])


def common_prefix(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many first tokens two sequences share."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _tail(prompt: Tokens, special: set[int]) -> Tokens:
    """The prompt's last tokens, none of them special: nothing merges across a special token."""
    start = max(0, len(prompt) - _LONGEST_TAIL)
    for position in range(len(prompt) - 1, start - 1, -1):
        if prompt[position] in special:
            return prompt[position + 1 :]
    return prompt[start:]


def _encoded(tokenizer: Any, texts: list[str]) -> list[Tokens]:
    encoded = tokenizer(texts, add_special_tokens=False, split_special_tokens=True)["input_ids"]
    return [list(map(int, tokens)) for tokens in encoded]
