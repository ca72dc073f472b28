"""Rules about mail: addresses, retries and texts."""

from curation.mail.rules.addresses import (
    LINK_BITS,
    LINK_HOURS,
    LINKS_PER_ADDRESS,
    LINKS_PER_PERSON,
    LINKS_PERIOD,
    address_sha256,
    clean_address,
)
from curation.mail.rules.retries import MAX_ATTEMPTS, SENDING_FOR, retry_after
from curation.mail.rules.texts import Text, verify_text

__all__ = [
    "LINKS_PERIOD",
    "LINKS_PER_ADDRESS",
    "LINKS_PER_PERSON",
    "LINK_BITS",
    "LINK_HOURS",
    "MAX_ATTEMPTS",
    "SENDING_FOR",
    "Text",
    "address_sha256",
    "clean_address",
    "retry_after",
    "verify_text",
]
