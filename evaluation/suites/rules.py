"""Suites: what is asked of a system about each accepted item, and the settings a run records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from annotation.kinds.registry import KINDS
from curation.core.registry import Registry

IMAGE: Final = "image"


@dataclass(frozen=True, slots=True)
class Suite:
    """One way to put systems to the test.

    Attributes:
        name: Its name in protocols.
        kind: The kind of work it reads.
        texts: Which of the kind's texts are put to the systems.
        capability: What a system must be able to do.
        text_variant: Prefix of the variants that texts get: ``caption-0``, ``caption-1`` …
        preprocessing: What is handed to the system, part of a run's settings.
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
        """What is asked about one revision: variant → text, None for the picture itself."""
        texts = KINDS[self.kind].texts(content)[self.texts]
        return {IMAGE: None, **{f"{self.text_variant}-{i}": text for i, text in enumerate(texts)}}

    def settings(self) -> dict[str, Any]:
        """What a run of this suite records; two runs with equal settings ask the same."""
        return {"suite": self.name, "kind": self.kind, "preprocessing": dict(self.preprocessing)}


def settings_digest(settings: Mapping[str, Any]) -> str:
    """SHA-256 of settings in canonical JSON."""
    canonical = json.dumps(settings, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


SUITES: Registry[Suite] = Registry(
    "suite",
    {
        # CVLUE section 5: text and image retrieval over the test split, five captions a picture (W-E4).
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
