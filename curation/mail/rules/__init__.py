"""Rules about mail: addresses, retries and texts."""

from curation.mail.rules.addresses import (
    LINK_BITS,
    LINK_HOURS,
    LINKS_PER_ADDRESS,
    LINKS_PER_PAIR,
    LINKS_PER_PERSON,
    LINKS_PERIOD,
    address_sha256,
    clean_address,
    may_send_link,
)
from curation.mail.rules.digests import MAILED_WITHIN, digest_due, is_zone
from curation.mail.rules.retries import KEPT_FOR, MAX_ATTEMPTS, SENDING_FOR, retry_after
from curation.mail.rules.texts import Count, Text, digest_text, verify_text
from curation.mail.rules.titles import TITLES

__all__ = [
    "KEPT_FOR",
    "LINKS_PERIOD",
    "LINKS_PER_ADDRESS",
    "LINKS_PER_PAIR",
    "LINKS_PER_PERSON",
    "LINK_BITS",
    "LINK_HOURS",
    "MAILED_WITHIN",
    "MAX_ATTEMPTS",
    "SENDING_FOR",
    "TITLES",
    "Count",
    "Text",
    "address_sha256",
    "clean_address",
    "digest_due",
    "digest_text",
    "is_zone",
    "may_send_link",
    "retry_after",
    "verify_text",
]
