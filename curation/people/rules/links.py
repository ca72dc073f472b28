"""Constants and hashes of invitation and password links."""

from __future__ import annotations

import hashlib
from typing import Final

INVITATION_STATES: Final = ("open", "used", "expired", "revoked")
JOIN_DAYS: Final = 7
PASSWORD_DAYS: Final = 1  # shorter: the link opens an existing account
# What the page of a link calls the role; the other names are the protocol's.
OUTSIDER_NAME: Final = {"zh-Hans": "提交预测结果", "zh-Hant": "提交預測結果", "en": "Submit predictions"}
# Random bits in a link's secret.
BITS: Final = 256


def secret_sha256(secret: str) -> str:
    """The hash under which the secret of a link or an API token is stored.

    The lone surrogates that a header may contain become question marks, which no secret contains.
    """
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
