"""The prompt that a run's setting makes of an entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from curation.prompts.queries import Key, shipped
from curation.prompts.rules import Message
from evaluation.answering.services.asking import Asker
from evaluation.backends.asks import Decoding
from evaluation.runs.errors import RunPromptMissing
from evaluation.sets.rules import askable
from evaluation.suites.rules import Entry


class _NoPictures:
    """Stands for the pictures of a run that sends some, where none is loaded."""

    def load(self, name: str) -> Any:
        """Load nothing."""
        raise NotImplementedError


_PLACES: Final = _NoPictures()


def asker_of(settings: Mapping[str, Any]) -> Asker:
    """What asks by the setting of a run over a set, without a system and pictures.

    Raises:
        RunPromptMissing: A prompt of the setting is not here any more.
    """
    setting = askable()[settings["suite"]].setting(settings["setting"])
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


def sent_messages(settings: Mapping[str, Any], entry: Entry) -> tuple[Message, ...]:
    """The messages with which an entry was sent; none for a system that compares pictures with texts.

    Raises:
        RunPromptMissing: A prompt of the setting is not here any more.
    """
    asker = asker_of(settings)
    if entry.type not in asker.bodies:
        return ()
    asker.pictures = _PLACES if settings["picture"] else None
    return asker.messages(entry)
