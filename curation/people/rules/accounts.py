"""Constants of accounts."""

from __future__ import annotations

from typing import Final

# Language tags of the interface.
LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
