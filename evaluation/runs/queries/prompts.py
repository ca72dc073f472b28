"""The prompt that a run's setting makes of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from curation.prompts.queries import Key, shipped
from curation.prompts.rules import Message
from evaluation.answering.rules.shots import Example, group_of
from evaluation.answering.services.asking import Asker
from evaluation.backends.asks import Decoding
from evaluation.runs.errors import RunPromptMissing
from evaluation.sets.models import Entry as StoredEntry
from evaluation.sets.rules import entry_of
from evaluation.suites.rules import SUITES


class _NoPictures:
    """Stands for the pictures of a run that sends some, where none is loaded."""

    def load(self, name: str) -> Any:
        """Load nothing."""
        raise NotImplementedError


_PLACES: Final = _NoPictures()


class Shots(NamedTuple):
    """The examples of a setting by group of questions, and the keys of their pictures in the store by name."""

    suite: str
    by_group: Mapping[str, Sequence[Example]]
    pictures: Mapping[str, str]

    def of_type(self, type_: str) -> list[Sequence[Example]]:
        """The examples of each group of a type of question; one empty group if it has none."""
        return [examples for examples in self.by_group.values() if examples[0].entry.type == type_] or [()]

    def of(self, entries: Iterable[StoredEntry], side: str) -> dict[str, Sequence[Example]]:
        """The examples of some entries by key; entries of a group that has none are left out."""
        suite, examples = SUITES[self.suite], {}
        for entry in entries:
            sent = entry_of(entry.key, entry.line, entry.texts[side])
            if (of_group := self.by_group.get(group_of(suite, sent, entry.tags))) is not None:
                examples[entry.key] = of_group
        return examples


def shots_of(settings: Mapping[str, Any]) -> Shots | None:
    """Read the examples of a complete setting; None without any. At most one statement."""
    if not settings.get("shots"):
        return None
    side, drawn = settings["side"], settings["shots"]["drawn"]
    ids = {pk for picked in drawn.values() for pk in picked}
    stored = {entry.pk: entry for entry in StoredEntry.objects.filter(pk__in=ids).select_related("picture")}

    def example(entry: StoredEntry) -> Example:
        texts = entry.texts[side]
        return Example(entry_of(entry.key, entry.line, texts), entry.gold, texts.get("explanation", ""))

    return Shots(
        settings["suite"],
        {group: [example(stored[pk]) for pk in picked] for group, picked in drawn.items()},
        {entry.picture.name: entry.picture.key for entry in stored.values() if entry.picture},
    )


def asker_of(settings: Mapping[str, Any]) -> Asker:
    """What asks by the setting of a run over a set, without a system, pictures and examples.

    Raises:
        RunPromptMissing: A prompt of the setting is not here any more.
    """
    setting = SUITES[settings["suite"]].setting(settings["setting"])
    if setting is None:
        raise ValueError(f"there is no setting {settings['setting']}")
    bodies = {}
    for type_, (name, language, no, sha256) in settings["prompts"].items():
        version = shipped().get(Key(name, language, no))
        if version is None or version.sha256 != sha256:
            raise RunPromptMissing(prompt=name, language=language, allowed="")
        bodies[type_] = version.body
    decodings = {type_: Decoding(**decoding) for type_, decoding in settings["decodings"].items()}
    return Asker(setting, settings["means"], bodies, decodings, None, lambda _: (), None)


def sent_messages(settings: Mapping[str, Any], entry: StoredEntry) -> tuple[Message, ...]:
    """The messages with which an entry was sent; none for a system that compares pictures with texts.

    Raises:
        RunPromptMissing: A prompt of the setting is not here any more.
    """
    side = settings["side"]
    asker, sent = asker_of(settings), entry_of(entry.key, entry.line, entry.texts[side])
    if sent.type not in asker.bodies:
        return ()
    asker.pictures = _PLACES if settings["picture"] else None
    if shots := shots_of(settings):
        examples = shots.of([entry], side)
        asker.examples = lambda one: examples.get(one.key, ())
        asker.example_pictures = asker.pictures
    return asker.messages(sent)
