"""The text of a prompt's body for people who edit it, and the number by which two bodies are the same."""

from __future__ import annotations

import hashlib
from typing import Any

import yaml

from curation.lib.canonical import canonical_json
from curation.prompts.rules.template import Body

_FIRST = ("variables", "system", "turns", "option", "round", "join", "shot", "order")


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, so that an editor shows them as they are sent."""

    def analyze_scalar(self, scalar: str) -> Any:
        """Allow a block for a text with blanks at the end of a line, too, which PyYAML would put in quotes."""
        analysis = super().analyze_scalar(scalar)
        if all(char == "\n" or char.isprintable() for char in scalar):
            analysis.allow_block = True
        return analysis


def _written(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    if "\n" not in text:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text)
    # As a block, line breaks alone would be written as "|2+" and empty lines, which nobody can read.
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if text.isspace() else "|")


_Dumper.add_representer(str, _written)


def text_of(body: Body) -> str:
    """Return a body as YAML, without the fields that it leaves empty; ``parse_body`` reads it again."""
    fields = body.model_dump()
    kept: dict[str, Any] = {name: fields[name] for name in _FIRST if fields[name] or name in ("variables", "turns")}
    return yaml.dump(kept, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000)


def body_sha256(body: Body) -> str:
    """Return the SHA-256 of a body, 64 hexadecimal digits: of its JSON with sorted keys."""
    return hashlib.sha256(canonical_json(body.model_dump())).hexdigest()
