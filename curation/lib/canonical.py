"""JSON in one form, whatever the order of keys, so that equal values have equal bytes and digests."""

from __future__ import annotations

import json
from typing import Any


def canonical_json(value: Any) -> bytes:
    """Encode a value as UTF-8 JSON with sorted keys and no blanks."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
