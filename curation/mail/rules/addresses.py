"""What counts as an address, and how many links are sent."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Final

import regex

LINK_HOURS: Final = 24
LINK_BITS: Final = 256
#: Links that one person may request, and that are sent to one address, within :data:`LINKS_PERIOD`.
LINKS_PER_PERSON: Final = 10
LINKS_PER_ADDRESS: Final = 5
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


def address_sha256(address: str) -> str:
    """The hash by which mails to one address are counted."""
    return hashlib.sha256(address.lower().encode()).hexdigest()
