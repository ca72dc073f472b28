"""What counts as an address, and how many links are sent."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Final

import regex

LINK_HOURS: Final = 24
LINK_BITS: Final = 256
#: Links that one person may request, for one address and in all, within :data:`LINKS_PERIOD`.
LINKS_PER_PAIR: Final = 5
LINKS_PER_PERSON: Final = 10
#: Links to one address, whoever requests them; a person's first link to it is beyond this, so that nobody who only
#: types an address can keep its owner from verifying it.
LINKS_PER_ADDRESS: Final = 10
LINKS_PERIOD: Final = timedelta(days=1)

# RFC 5321 without quoted local parts and address literals, which hold blanks and control characters.
_ADDRESS: Final = regex.compile(
    r"(?=.{1,254}\z)(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([a-z0-9](-*[a-z0-9]){0,62}\.)+[a-z](-*[a-z0-9]){1,62}\z"
)


def clean_address(text: str) -> str | None:
    """An address with its domain in lower case and in ASCII (IDNA); None if the text is none.

    Line breaks are no part of an address, so that no header can be added through one.
    """
    local, at, domain = text.strip(" ").rpartition("@")
    try:
        address = f"{local}{at}{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        return None
    return address if _ADDRESS.match(address) else None


def may_send_link(*, by_person: int, to_address: int, by_person_to_address: int) -> bool:
    """Whether one more link may be sent.

    Args:
        by_person: Links that the person requested within :data:`LINKS_PERIOD`.
        to_address: Links to the address in that time, whoever requested them.
        by_person_to_address: Those that the person requested for this address.
    """
    if by_person >= LINKS_PER_PERSON or by_person_to_address >= LINKS_PER_PAIR:
        return False
    return not by_person_to_address or to_address < LINKS_PER_ADDRESS


def address_sha256(address: str) -> str:
    """The hash by which mails to one address are counted."""
    return hashlib.sha256(address.lower().encode()).hexdigest()
