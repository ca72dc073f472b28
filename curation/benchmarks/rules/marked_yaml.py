"""YAML settings files, validated against a pydantic model; every fault has its file, line and key.

No Django here, because rules import it. Aliases are forbidden, because a short file could expand without limit.
Duplicate keys are forbidden, because YAML readers usually let the last one win silently.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from curation.core.errors import DomainError

Path = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)

_NO_VALUES: Final[Mapping[str, Any]] = types.MappingProxyType({})
_NOT_A_SETTING: Final = object()
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_MAX_DEPTH: Final = 40  # levels; the deepest preset has seven
_NUMBERS: Final = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})
# Where PyYAML was built with libyaml, its loader reads the same language ten times as fast.
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_CHARACTERS: Final = 1_000_000  # characters; the largest hand-written file has a tenth of that
_MAX_NUMBER: Final = 40  # characters; Python refuses to write out integers of thousands of digits
_MAX_KEY: Final = 120  # characters; keys are repeated in every fault below them
MAX_REPORTED: Final = 200  # faults; the rest is counted


class Problem(NamedTuple):
    """One fault of a file.

    Attributes:
        file: The file's name.
        line: Line of the key or value, counted from 1.
        key: Dotted path of keys, list places counted from 0.
        expected: The expected value.
        code: Code of the fault for translation; empty if only the English sentence exists.
        params: Values of the sentence.
    """

    file: str
    line: int
    key: str
    expected: str
    code: str = ""
    params: Mapping[str, Any] = _NO_VALUES

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key or '(whole file)'}: expected {self.expected}"

    def as_json(self) -> dict[str, Any]:
        """Return the fault for an editor, which shows it beside its line."""
        message = f"expected {self.expected}"
        return {"line": self.line, "key": self.key, "message": message, "code": self.code, "params": dict(self.params)}


class FileInvalid(DomainError):
    """A settings file does not have its documented form.

    ``reported`` are the first faults by line and key, which ``params.faults`` lists; ``params.count`` counts all.
    """

    status = 422
    detail = "{file} has {count} faults."

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.problems = sorted(problems, key=lambda p: (p.line, p.key))
        self.reported = self.problems[:MAX_REPORTED]
        super().__init__(file=file, count=len(self.problems), faults=[p.as_json() for p in self.reported])

    def __str__(self) -> str:
        lines = [str(p) for p in self.reported]
        if (more := len(self.problems) - len(self.reported)) > 0:
            lines.append(f"{self.params['file']}: {more} more faults")
        return "\n".join(lines)


class Document:
    """The values of a YAML file with the line of each."""

    def __init__(self, source: str, *, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._lines: dict[Path, int] = {(): 1}
        self._constructor = yaml.SafeLoader("")
        self.value = self._read(source)

    def line(self, path: Path) -> int:
        """Return the line of the value at ``path``, or of its nearest existing parent."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def fault(self, path: Path, expected: str, code: str = "", params: Mapping[str, Any] = _NO_VALUES) -> None:
        """Record a fault of the value at ``path``."""
        self.problems.append(Problem(self.file, self.line(path), ".".join(map(str, path)), expected, code, params))

    def check(self, value: Any, model: type[M], *, at: Path = (), beside: Sequence[str] = ()) -> M | None:
        """Validate the ``value`` at ``at``; on faults record them and return None.

        Args:
            value: The value, without the keys ``beside``.
            model: Its model.
            at: Its path.
            beside: Further keys that it may have.
        """
        try:
            return model.model_validate(value)
        except ValidationError as error:
            for fault in error.errors(include_url=False):
                # Pydantic's own parts of a path: the key of a mapping, the form of a value that has several.
                loc = tuple(part for part in fault["loc"] if not str(part).startswith("["))
                expected, code, params = _describe_fault(fault, model, loc, beside)
                self.fault((*at, *loc), expected, code, params)
            return None

    def raise_problems(self) -> None:
        """Raise an error if there are recorded faults.

        Raises:
            FileInvalid: With every fault, in the order of lines.
        """
        if self.problems:
            raise FileInvalid(self.file, self.problems)

    def _read(self, source: str) -> Any:
        if len(source) > _MAX_CHARACTERS:
            self.fault((), f"at most {_MAX_CHARACTERS} characters", "file_too_long")
            return None
        try:
            depth = 0
            for event in yaml.parse(source, Loader=_Loader):
                line = event.start_mark.line + 1 if event.start_mark else 1
                depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
                if depth > _MAX_DEPTH:
                    self.problems = [Problem(self.file, line, "", f"at most {_MAX_DEPTH} levels", "too_deep")]
                    return None
                if isinstance(event, yaml.AliasEvent):
                    self.problems.append(
                        Problem(self.file, line, f"*{event.anchor}", "the value itself, no alias", "alias")
                    )
            if self.problems:
                return None
            node = yaml.compose(source, Loader=_Loader)
        except (yaml.YAMLError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            # PyYAML reports something missing at the end on the line after the last.
            line = min(mark.line, source.count("\n")) + 1 if mark else 1
            what = str(getattr(error, "problem", None) or error)
            self.problems.append(Problem(self.file, line, "", f"YAML ({what})", "no_yaml", {"what": what}))
            return None
        if node is None:
            self.fault((), "a mapping, the file is empty", "file_empty")
            return None
        return self._value(node, ())

    def _value(self, node: yaml.Node, path: Path) -> Any:
        self._lines.setdefault(path, node.start_mark.line + 1)
        match node:
            case yaml.MappingNode():
                return self._mapping(node, path)
            case yaml.SequenceNode():
                return [self._value(child, (*path, place)) for place, child in enumerate(node.value)]
        # Checked before the value is made: a number in base 16 or 60 is made whatever its length.
        if node.tag in _NUMBERS and len(node.value) > _MAX_NUMBER:
            self.fault(path, f"a number of at most {_MAX_NUMBER} characters", "number_too_long", {"max": _MAX_NUMBER})
            return None
        try:
            value = self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError):
            value = _NOT_A_SETTING
        # Dates, binary data, infinite numbers and unstorable characters are not allowed in settings.
        plain = isinstance(value, str | int | None) or (isinstance(value, float) and math.isfinite(value))
        if not plain or (isinstance(value, str) and _UNSTORABLE.search(value)):
            self.fault(path, "a plain text, number, true or false", "not_plain")
            return None
        return value

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            is_plain = isinstance(key_node, yaml.ScalarNode) and len(key_node.value) <= _MAX_KEY
            if not is_plain or _UNSTORABLE.search(key_node.value):
                self.fault(path, f"plain words of at most {_MAX_KEY} characters as keys", "key_not_plain")
                continue
            key = key_node.value
            here = (*path, key)
            if key in mapping:
                line = key_node.start_mark.line + 1
                first = self._lines[here]
                expected = f"each key once; it stands on line {first} too"
                at = ".".join(map(str, here))
                self.problems.append(Problem(self.file, line, at, expected, "key_twice", {"first": first}))
                continue
            self._lines[here] = key_node.start_mark.line + 1
            mapping[key] = self._value(value_node, here)
        return mapping


# pydantic's type of a fault → our code, and the sentence that replaces pydantic's; {…} are its values.
_SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "missing": ("key_missing", "this key, which is missing"),
    "int_parsing": ("no_whole_number", "a whole number, got {got!r}"),
    "int_from_float": ("no_whole_number", "a whole number, got {got!r}"),
    "int_type": ("no_whole_number", "a whole number, got {got!r}"),
    "string_type": ("no_text", "text, got {got!r} (put it in quotes)"),
    "bool_type": ("no_truth_value", "true or false, got {got!r}"),
    "list_type": ("no_list", "a list, got {got!r}"),
    "dict_type": ("no_mapping", "a mapping, got {got!r}"),
    "model_type": ("no_mapping", "a mapping, got {got!r}"),
    "literal_error": ("none_of_these", "{expected}, got {got!r}"),
    "greater_than_equal": ("too_small", "at least {ge}, got {got!r}"),
    "greater_than": ("not_above", "more than {gt}, got {got!r}"),
    "less_than_equal": ("too_large", "at most {le}, got {got!r}"),
    "less_than": ("not_below", "less than {lt}, got {got!r}"),
    "too_short": ("too_few", "at least {min_length} entries, got {actual_length}"),
    "string_too_short": ("text_too_short", "at least {min_length} characters, got {got!r}"),
    "string_too_long": ("text_too_long", "at most {max_length} characters"),
    "string_pattern_mismatch": ("wrong_form", "a name of the form {pattern}, got {got!r}"),
    "value_error": ("", "{error}"),
}


def _describe_fault(
    fault: Any, model: type[BaseModel], loc: Path, beside: Sequence[str]
) -> tuple[str, str, dict[str, Any]]:
    """Translate a fault from pydantic: sentence, code and values."""
    if fault["type"] == "extra_forbidden":
        keys = ", ".join([*_keys_at(model, loc[:-1]), *(beside if len(loc) == 1 else ())])
        return (
            (f"one of the keys {keys}", "key_unknown", {"names": keys}) if keys else ("no such key", "key_unwanted", {})
        )
    code, sentence = _SENTENCES.get(fault["type"], ("", ""))
    if not sentence:
        return f"something else: {fault['msg']}", "", {}
    values = fault.get("ctx", {}) | {"got": _short(fault["input"])}
    return sentence.format(**values), code, {name: str(value) for name, value in values.items()} if code else {}


def _short(value: Any) -> Any:
    text = repr(value)
    return value if len(text) <= 40 else text[:40] + "…"


def _keys_at(model: type[BaseModel], loc: Path) -> list[str]:
    """Return the keys of a model at ``loc``."""
    kinds: list[Any] = [model]
    for part in loc:
        kinds = [child for kind in kinds for child in _step(kind, part)]
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return [field.alias or name for name, field in kind.model_fields.items()]
    return []


def _step(kind: Any, part: str | int) -> Iterator[Any]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            if (field.alias or name) == part:
                yield from _unwrapped(field.annotation)
    elif get_origin(kind) is list:
        yield from _unwrapped(get_args(kind)[0])
    elif get_origin(kind) is dict:
        yield from _unwrapped(get_args(kind)[1])


def _unwrapped(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _unwrapped(member)
    elif hasattr(annotation, "__metadata__"):
        yield from _unwrapped(get_args(annotation)[0])
    else:
        yield annotation
