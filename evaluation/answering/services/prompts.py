"""Which version of a prompt a setting uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curation.prompts.queries import Version, shipped
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.profiles.rows import WrongInput
from evaluation.suites.rules import Entry, Setting


class NoVersion(Exception):
    """No version of a prompt fits.

    Attributes:
        known: Language and number of each version of the prompt.
        in_language: Whether it has a text in the language.
        has_text: Whether it has the version that was chosen, so that only a text for examples is missing.
    """

    def __init__(self, known: Sequence[tuple[str, int]], *, in_language: bool, has_text: bool) -> None:
        self.known = known
        self.in_language = in_language
        self.has_text = has_text
        super().__init__()


def version_of(name: str, language: str, no: int | None, *, with_shots: bool) -> Version:
    """Return a prompt's version in a language.

    Without a number it is the lowest: the paper's own text comes before its code's and ours. With examples it is the
    lowest that has a text for them.

    Raises:
        NoVersion.
    """
    versions = [version for key, version in shipped().items() if key.name == name]
    in_language = sorted(
        (version for version in versions if version.key.language == language), key=lambda version: version.key.no
    )
    fitting = [version for version in in_language if no in (None, version.key.no)]
    for version in fitting:
        if version.body.shot or not with_shots:
            return version
    known = sorted((version.key.language, version.key.no) for version in versions)
    raise NoVersion(known, in_language=bool(in_language), has_text=bool(fitting))


def choose(setting: Setting, language: str, no: int | None, *, with_shots: bool) -> dict[str, Version]:
    """Return the version for each type of question.

    Raises:
        AnswerRefused: There is no such version.
    """
    chosen = {}
    for type_, name in setting.prompts.items():
        try:
            chosen[type_] = version_of(name, language, no, with_shots=with_shots)
        except NoVersion as error:
            raise _refusal(error, setting, name, language, no) from None
    return chosen


def _refusal(error: NoVersion, setting: Setting, name: str, language: str, no: int | None) -> AnswerRefused:
    if error.has_text:
        reason = f"no version of {name} has a text for examples, so the setting {setting.name} takes no --shots"
        return AnswerRefused("prompt_without_examples", reason)
    if error.in_language:
        numbers = ", ".join(str(known) for of, known in error.known if of == language)
        return AnswerRefused("prompt_unknown", f"{name} has no version {no} in {language}; it has {numbers}")
    languages = ", ".join(dict.fromkeys(known for known, _ in error.known))
    return AnswerRefused("language_missing", f"{name} has no text in {language}; it has {languages}")


def check_values(chosen: Mapping[str, Version], entries: Iterable[Entry], file: str) -> None:
    """Refuse an entry without a value that its prompt needs, so that none is sent with a hole.

    Raises:
        WrongInput: With line and field.
    """
    for entry in entries:
        for name in chosen[entry.type].body.variables:
            if name not in entry.values:
                raise WrongInput(file, entry.line, name, f"a value, which the prompt {chosen[entry.type].key.name} has")
