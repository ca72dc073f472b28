"""Suites: the inputs that a system gets for each accepted item, and the settings that a run records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from annotation.kinds.texts import texts_at
from curation.core.registry import Registry

IMAGE: Final = "image"


@dataclass(frozen=True, slots=True)
class Suite:
    """One way to test systems.

    Attributes:
        name: Its name in protocols.
        kind: The kind of annotation that it uses.
        texts: The group of the kind's texts that systems get.
        capability: The capability that a system needs.
        text_variant: Prefix of the texts' variant names: ``caption-0``, ``caption-1`` …
        preprocessing: How inputs are prepared; part of a run's settings.
        ranks: The values of k of its recall.
    """

    name: str
    kind: str
    texts: str
    capability: str
    text_variant: str
    ranks: tuple[int, ...]
    preprocessing: Mapping[str, str] = field(default_factory=dict)

    def variants(self, content: Mapping[str, Any]) -> dict[str, str | None]:
        """Return the inputs of one revision: variant → text, None for the picture itself."""
        texts = texts_at(content, self.texts)
        return {IMAGE: None, **{f"{self.text_variant}-{i}": text for i, text in enumerate(texts)}}

    def settings(self) -> dict[str, Any]:
        """Return the settings that a run of this suite records; two runs with equal settings get the same inputs."""
        return {"suite": self.name, "kind": self.kind, "preprocessing": dict(self.preprocessing)}


def settings_digest(settings: Mapping[str, Any]) -> str:
    """Compute the SHA-256 of settings in canonical JSON."""
    canonical = json.dumps(settings, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


SUITES: Registry[Suite] = Registry(
    "suite",
    {
        # CVLUE section 5: text and image retrieval over the test split, five captions per picture.
        "retrieval": Suite(
            name="retrieval",
            kind="captions",
            texts="captions",
            capability="embed",
            text_variant="caption",
            ranks=(1, 5, 10),
            preprocessing={"picture": "clean rendition, RGB", "text": "as accepted, NFC"},
        ),
    },
)
