"""Asking a system the entries of a chunk."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, TypeVar

from PIL import Image

from curation.calls.errors import CallFailed
from curation.core.text import storable
from curation.prompts.rules import Body, Message, Picture, render
from evaluation.answering.rules.pictures import Loaded, Source
from evaluation.answering.rules.shots import Example
from evaluation.backends.asks import Ask, Decoding, Generated, Generator, Ranked, Ranker
from evaluation.backends.base import Embedder, OnServer
from evaluation.backends.errors import SystemRefusedInput
from evaluation.suites.rules import Answer, Entry, Means, Setting

T = TypeVar("T")

# Statuses with which servers refuse one request for its content: malformed or too long, too large, unfit. Some refuse
# a key, a model or a parameter with 400 as well.
_ABOUT_INPUT: Final = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)

# A harmless question, of which the tokens cost next to nothing, and a picture that no server finds too small.
_CHECK: Final = "Reply with the letter A."
_CHECK_SIZE: Final = (64, 64)

Record = dict[str, Any]
"""An answer as the journal keeps it: ``key`` with ``text``, ``sums`` or ``error``, and facts about it."""

_NOT_FINITE: Final[Mapping[str, str]] = {"error": "score_not_finite"}


@dataclass(slots=True)
class Asker:
    """Builds asks from entries, which hold no right answers, and writes down what came back.

    Attributes:
        setting: How is asked.
        means: How the system answers; entries without options are answered in text where options are ranked.
        bodies: Type of question → its prompt.
        decodings: Type of question → decoding of replies.
        pictures: Where pictures are; None if none is sent.
        examples: Key of an entry → its examples.
        example_pictures: Where the pictures of the examples are; None if none is sent.
        answered: Whether any request was answered before, so that a server that refuses a whole chunk has its inputs
            as the reason.
    """

    setting: Setting
    means: Means
    bodies: Mapping[str, Body]
    decodings: Mapping[str, Decoding]
    pictures: Source | None
    examples: Callable[[Entry], Sequence[Example]]
    example_pictures: Source | None
    generator: Generator | None = None
    ranker: Ranker | None = None
    embedder: Embedder | None = None
    answered: bool = False
    _shots: dict[str, Loaded] = field(default_factory=dict)

    def messages(self, entry: Entry, *, shots: bool = True) -> tuple[Message, ...]:
        """Render an entry's prompt."""
        examples = self.examples(entry) if shots else ()
        return render(
            self.bodies[entry.type],
            entry.values,
            shots=[example.shot(has_picture=self.example_pictures is not None) for example in examples],
            picture=self.pictures is not None,
        )

    def length(self, entry: Entry) -> int:
        """Return the length of an entry's prompt in characters, without its examples."""
        if self.means == "similarity":
            return max((len(text) for text in _texts(entry)), default=0)
        return sum(len(message.text) for message in self.messages(entry, shots=False))

    def confirm(self) -> None:
        """Check that servers still serve the models that were opened; called before each chunk.

        Raises:
            ModelServerChanged, ModelNotServed: One does not.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit: One does not report its model.
        """
        for part in self._parts().values():
            if isinstance(part, OnServer):
                part.confirm()

    def answer(self, entries: Sequence[Entry]) -> list[Record]:
        """Answer the entries of a chunk, in their order."""
        self.confirm()
        loaded = {} if self.pictures is None else {name: self.pictures.load(name) for name in _names(entries)}
        if self.means == "similarity":
            return self._similarities(entries, loaded)
        asks = [self._ask(entry, loaded.get(entry.picture)) for entry in entries]
        records: list[Record] = [{}] * len(entries)
        in_text: dict[Decoding, list[int]] = {}
        ranked: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for i, entry in enumerate(entries):
            if self.means == "likelihood" and entry.options:
                candidates = entry.names if self.setting.ranked == "names" else entry.options
                ranked.setdefault((entry.picture, candidates), []).append(i)
            else:
                in_text.setdefault(self._decoding(entry), []).append(i)
        for (_, candidates), places in ranked.items():
            for i, record in zip(places, self._ranked([asks[i] for i in places], candidates), strict=True):
                records[i] = record
        for decoding, places in in_text.items():
            for i, record in zip(places, self._generated([asks[i] for i in places], decoding), strict=True):
                records[i] = record
        return [
            {"key": entry.key, **_size(ask), **record}
            for entry, record, ask in zip(entries, records, asks, strict=True)
        ]

    def described(self) -> Record:
        """Return what the loaded parts say of themselves: device, number type, route, what was halved."""
        return {name: part.describe() for name, part in self._parts().items()}

    def _parts(self) -> dict[str, Generator | Ranker | Embedder]:
        parts = {"generator": self.generator, "ranker": self.ranker, "embedder": self.embedder}
        return {name: part for name, part in parts.items() if part is not None}

    def _ask(self, entry: Entry, loaded: Loaded | None) -> Ask:
        shots = tuple(self._example_picture(example) for example in self.examples(entry))
        messages = self.messages(entry)
        if loaded is None:
            return Ask(messages, shots=shots)
        return Ask(messages, loaded.image, loaded.key, shots)

    def _example_picture(self, example: Example) -> Any:
        if self.example_pictures is None:
            return None
        name = example.entry.picture
        if name not in self._shots:
            self._shots[name] = self.example_pictures.load(name)
        return self._shots[name].image

    def _decoding(self, entry: Entry) -> Decoding:
        return self.decodings.get(entry.type, Decoding())

    def _ranked(self, asks: Sequence[Ask], candidates: Sequence[str]) -> list[Record]:
        """Rank the same candidates for questions of one picture: letters for its rotations, which go together."""
        ranker, count_end = required(self.ranker), self.setting.count_end
        if len(asks) > 1:
            try:
                return [_sums(ranked) for ranked in ranker.rank_all(asks, candidates, count_end=count_end)]
            except SystemRefusedInput:
                pass  # one of them is refused: find it below
        records: list[Record] = []
        for ask in asks:
            try:
                records.append(_sums(ranker.rank(ask, candidates, count_end=count_end)))
            except SystemRefusedInput as error:
                records.append({"error": error.code})
        return records

    def _generated(self, asks: Sequence[Ask], decoding: Decoding) -> list[Record]:
        """Generate replies; if an input is refused, ask each by itself to find it.

        Raises:
            CallFailed: The server refuses every request, so that no input is the reason.
        """
        generate = required(self.generator).generate
        try:
            return [_reply(generated) for generated in generate(asks, decoding)]
        except (SystemRefusedInput, CallFailed) as error:
            if not _is_about_input(error):
                raise
            first = error
        records: list[Record] = []
        for ask in asks:
            try:
                records += [_reply(generated) for generated in generate([ask], decoding)]
            except (SystemRefusedInput, CallFailed) as error:
                if not _is_about_input(error):
                    raise
                records.append({"error": error.code})
        if isinstance(first, CallFailed) and not self.answered and all("error" in record for record in records):
            self._check(decoding, first)
        return records

    def _check(self, decoding: Decoding, refusal: CallFailed) -> None:
        """Ask something that no server refuses for its content, in the same way as the entries.

        Raises:
            CallFailed: ``refusal``, if the server refuses that as well: it does not take the key, the model, a
                parameter or pictures.
        """
        parts = (_CHECK,) if self.pictures is None else (Picture(), _CHECK)
        picture = None if self.pictures is None else Image.new("RGB", _CHECK_SIZE, "white")
        ask = Ask((Message("user", parts),), picture, "check" if picture else "")
        try:
            required(self.generator).generate([ask], decoding)
        except (SystemRefusedInput, CallFailed) as error:
            if _is_about_input(error):
                raise refusal from error
            raise
        self.answered = True

    def _similarities(self, entries: Sequence[Entry], loaded: Mapping[str, Loaded]) -> list[Record]:
        """Compare pictures with texts; if an input is refused, each entry by itself to find it."""
        try:
            return self._compared(entries, loaded)
        except SystemRefusedInput:
            pass  # one of them is refused: find it below
        records: list[Record] = []
        for entry in entries:
            try:
                records += self._compared([entry], {entry.picture: loaded[entry.picture]})
            except SystemRefusedInput as error:
                records.append({"key": entry.key, "error": error.code})
        return records

    def _compared(self, entries: Sequence[Entry], loaded: Mapping[str, Loaded]) -> list[Record]:
        """Compare each picture with the question and each option, as CVQA does for embedding models."""
        embedder = required(self.embedder)
        names = list(loaded)
        vectors = dict(zip(names, embedder.embed_images([loaded[name].image for name in names]), strict=True))
        texts = embedder.embed_texts([text for entry in entries for text in _texts(entry)])
        records, first = [], 0
        for entry in entries:
            part = texts[first : first + len(entry.options)]
            first += len(entry.options)
            sums = [float(value) for value in part @ vectors[entry.picture]]
            record = {"sums": sums, "means": "similarity"} if all(map(math.isfinite, sums)) else _NOT_FINITE
            records.append({"key": entry.key, **record})
        return records


# Characters of a reply; files of predictions have rows of at most four times as many.
_LONGEST_REPLY: Final = 1_000_000


def _reply(generated: Generated) -> Record:
    record: Record = (
        {"error": "refused"} if generated.finish == "refused" else {"text": storable(generated.text[:_LONGEST_REPLY])}
    )
    if generated.picture_size is not None:
        record["size"] = list(generated.picture_size)
    if generated.cost is not None:
        record["cost"] = [str(generated.cost.amount), generated.cost.currency]
    return record | {"finish": generated.finish, "tokens": [generated.tokens_in, generated.tokens_out]}


def _sums(ranked: Ranked) -> Record:
    if not all(map(math.isfinite, ranked.sums)):
        return dict(_NOT_FINITE)
    lengths = {"lengths": list(ranked.tokens), "bytes": list(ranked.bytes)}
    return {"sums": list(ranked.sums), "means": "likelihood", **lengths}


def _is_about_input(error: SystemRefusedInput | CallFailed) -> bool:
    return isinstance(error, SystemRefusedInput) or error.params.get("status") in _ABOUT_INPUT


def answer_of(record: Mapping[str, Any], box_form: str) -> Answer:
    """Return the answer that a record keeps; ``box_form`` is the system's."""
    size = record.get("size")
    return Answer(
        text=record.get("text"),
        sums=tuple(record.get("sums", ())),
        means=record.get("means", "text"),
        error=record.get("error", ""),
        picture_size=(size[0], size[1]) if size else None,
        box_form=box_form,
    )


def required(part: T | None) -> T:
    """Return a part that the plan made sure of."""
    if part is None:
        raise ValueError("the plan did not ask for this part of the system")
    return part


def _names(entries: Sequence[Entry]) -> list[str]:
    return list(dict.fromkeys(entry.picture for entry in entries))


def _texts(entry: Entry) -> list[str]:
    return [f"{entry.values['question']} {option}" for option in entry.options]


def _size(ask: Ask) -> Record:
    """Return the size of the picture as it is sent, for systems that do not say to which they resized it."""
    return {} if ask.picture is None else {"size": list(ask.picture.size)}
