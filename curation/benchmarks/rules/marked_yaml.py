"""Settings files in YAML, checked against a pydantic model, with every fault named by file, line and key.

No Django here: rules import it. Aliases are refused (a short file could otherwise expand without end) and so are
keys that stand twice, which YAML readers commonly let pass with the last one winning.
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
_NOTHING_PLAIN: Final = object()
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_DEEPEST: Final = 40  # Levels; the deepest preset has seven.
# The same language; libyaml's reader, where PyYAML was built with it, is ten times as fast.
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LARGEST: Final = 1_000_000  # Characters; the largest file that a person still writes by hand is a tenth of it.


class Problem(NamedTuple):
    """One fault of a file.

    Attributes:
        file: Its name as the reader knows it.
        line: Line of the key or value, counted from 1.
        key: Dotted path of keys, list places counted from 0.
        expected: What should stand there.
        code: Name of the kind of fault, for readers of other languages; empty where only the sentence says it.
        params: The values in the sentence.
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
        """The fault as an editor shows it beside its line."""
        message = f"expected {self.expected}"
        return {"line": self.line, "key": self.key, "message": message, "code": self.code, "params": dict(self.params)}


class FileInvalid(DomainError):
    """A settings file does not have its documented form; ``params.faults`` lists every fault by line and key."""

    status = 422
    detail = "{file} has {count} faults."

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.problems = sorted(problems, key=lambda p: (p.line, p.key))
        super().__init__(file=file, count=len(self.problems), faults=[p.as_json() for p in self.problems])

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


class Document:
    """The values of a YAML file and the line each of them stands on."""

    def __init__(self, source: str, *, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._lines: dict[Path, int] = {(): 1}
        self._constructor = yaml.SafeLoader("")
        self.value = self._read(source)

    def line(self, path: Path) -> int:
        """Line of the value at ``path``, or of the nearest value around it that exists."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def fault(self, path: Path, expected: str, code: str = "", params: Mapping[str, Any] = _NO_VALUES) -> None:
        """Note a fault of the value at ``path``."""
        self.problems.append(Problem(self.file, self.line(path), ".".join(map(str, path)), expected, code, params))

    def check(self, value: Any, model: type[M], *, at: Path = ()) -> M | None:
        """Validate ``value``, which stands at ``at``; faults are noted and None is returned."""
        try:
            return model.model_validate(value)
        except ValidationError as error:
            for found in error.errors(include_url=False):
                loc = tuple(part for part in found["loc"] if part != "[key]")
                expected, code, params = _expected(found, model, loc)
                self.fault((*at, *loc), expected, code, params)
            return None

    def raise_problems(self) -> None:
        """Refuse the file when anything was noted.

        Raises:
            FileInvalid: With every fault found, in the order of lines.
        """
        if self.problems:
            raise FileInvalid(self.file, self.problems)

    def _read(self, source: str) -> Any:
        if len(source) > _LARGEST:
            self.fault((), f"at most {_LARGEST} characters", "file_too_long")
            return None
        try:
            depth = 0
            for event in yaml.parse(source, Loader=_Loader):
                line = event.start_mark.line + 1 if event.start_mark else 1
                depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
                if depth > _DEEPEST:
                    self.problems = [Problem(self.file, line, "", f"at most {_DEEPEST} levels", "too_deep")]
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
            # What is missing at the end is reported behind the last line.
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
        try:
            value = self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError):
            value = _NOTHING_PLAIN
        # Dates, binary data, infinite numbers and characters that no database stores are no settings.
        plain = isinstance(value, str | int | None) or (isinstance(value, float) and math.isfinite(value))
        if not plain or (isinstance(value, str) and _UNSTORABLE.search(value)):
            self.fault(path, "a plain text, number, true or false", "not_plain")
            return None
        return value

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or _UNSTORABLE.search(key_node.value):
                self.fault(path, "plain words as keys", "key_not_plain")
                continue
            key = key_node.value
            here = (*path, key)
            if key in found:
                line = key_node.start_mark.line + 1
                first = self._lines[here]
                expected = f"each key once; it stands on line {first} too"
                at = ".".join(map(str, here))
                self.problems.append(Problem(self.file, line, at, expected, "key_twice", {"first": first}))
                continue
            self._lines[here] = key_node.start_mark.line + 1
            found[key] = self._value(value_node, here)
        return found


# What pydantic calls a fault, our name of it, and what stands there instead of pydantic's sentence; {…} are its values.
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


def _expected(found: Any, model: type[BaseModel], loc: Path) -> tuple[str, str, dict[str, Any]]:
    """What a fault that pydantic found is called here: sentence, code and values."""
    if found["type"] == "extra_forbidden":
        known = ", ".join(_keys_at(model, loc[:-1]))
        return (
            (f"one of the keys {known}", "key_unknown", {"names": known})
            if known
            else ("no such key", "key_unwanted", {})
        )
    code, sentence = _SENTENCES.get(found["type"], ("", ""))
    if not sentence:
        return f"something else: {found['msg']}", "", {}
    values = found.get("ctx", {}) | {"got": _short(found["input"])}
    return sentence.format(**values), code, {name: str(value) for name, value in values.items()} if code else {}


def _short(value: Any) -> Any:
    text = repr(value)
    return value if len(text) <= 40 else text[:40] + "…"


def _keys_at(model: type[BaseModel], loc: Path) -> list[str]:
    """Keys that a model knows at ``loc``."""
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
