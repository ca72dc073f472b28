"""Which version of a prompt a setting uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curation.prompts.queries import Version, shipped
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.profiles.rows import WrongInput
from evaluation.suites.rules import Entry, Setting


def choose(setting: Setting, language: str, no: int | None, *, with_shots: bool) -> dict[str, Version]:
    """Return the version for each type of question.

    Without a number it is the lowest in the language: the paper's own text comes before its code's and ours. With
    examples it is the lowest that has a text for them.

    Raises:
        AnswerRefused: There is no such version.
    """
    chosen = {}
    for type_, name in setting.prompts.items():
        versions = _versions(name, language)
        if not versions:
            known = sorted({key.language for key in shipped() if key.name == name})
            raise AnswerRefused("language_missing", f"{name} has no text in {language}; it has {', '.join(known)}")
        if no is not None:
            versions = [version for version in versions if version.key.no == no]
            if not versions:
                numbers = ", ".join(str(version.key.no) for version in _versions(name, language))
                raise AnswerRefused("prompt_unknown", f"{name} has no version {no} in {language}; it has {numbers}")
        if with_shots:
            versions = [version for version in versions if version.body.shot]
            if not versions:
                reason = f"no version of {name} has a text for examples, so the setting {setting.name} takes no --shots"
                raise AnswerRefused("prompt_without_examples", reason)
        chosen[type_] = versions[0]
    return chosen


def check_values(chosen: Mapping[str, Version], entries: Iterable[Entry], file: str) -> None:
    """Refuse an entry without a value that its prompt needs, so that none is sent with a hole.

    Raises:
        WrongInput: With line and field.
    """
    for entry in entries:
        for name in chosen[entry.type].body.variables:
            if name not in entry.values:
                raise WrongInput(file, entry.line, name, f"a value, which the prompt {chosen[entry.type].key.name} has")


def _versions(name: str, language: str) -> list[Version]:
    versions = [version for key, version in shipped().items() if (key.name, key.language) == (name, language)]
    return sorted(versions, key=lambda version: version.key.no)
