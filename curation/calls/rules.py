"""Prices of calls, the highest and the real cost of one, and the digest by which an equal request is recognised."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from decimal import ROUND_UP, Decimal
from typing import Any, Final, NamedTuple

from curation.lib.canonical import canonical_json

#: How long a holder keeps its call beyond the time-out of what it waits for. A living holder settles within it, even
#: if the database is unavailable for a while.
SLACK: Final = timedelta(seconds=30)

#: How long a request of a person is sent again and again while its server limits requests.
LONGEST_WAIT: Final = timedelta(minutes=10)
_FIRST_PAUSE: Final = 15.0  # seconds, about that between two sweeps, which wake the job
_LONGEST_PAUSE: Final = 120.0

#: Highest prices: per million tokens, and per picture. A dollar is some 26,000 dong.
MOST_PER_MILLION: Final = 100_000_000
MOST_PER_PICTURE: Final = 1_000_000

_IN_USE: Final = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP "
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG "
    "HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL "
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR "
    "RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"
)
#: The currencies that prices and budgets can be in: those in use by ISO 4217 (www.six-group.com, list one, 2026).
CURRENCIES: Final = tuple(_IN_USE.split())

#: Tokens of a picture at most. gpt-4o-mini bills 2,833 and 5,667 per tile of 512 px, of which a picture has up to
#: eight: https://platform.openai.com/docs/guides/images-vision. Qwen2.5-VL makes 16,384 of its largest.
MOST_PICTURE_TOKENS: Final = 50_000

_MILLION: Final = Decimal(1_000_000)
_UNIT: Final = Decimal("0.00000001")  # of numeric(18, 8)
_HIGHEST: Final = Decimal("9999999999.99999999")


class Price(NamedTuple):
    """A price in force when a call was made: per million tokens in and out, and per picture."""

    currency: str
    million_in: Decimal
    million_out: Decimal
    per_picture: Decimal

    def as_json(self) -> dict[str, str]:
        """The price as a call keeps it."""
        return {name: str(value) for name, value in self._asdict().items()}

    def highest_cost(self, body: Mapping[str, Any], max_tokens: int, pictures: int = 0) -> Decimal:
        """The most that a request can cost.

        A token has at least one byte, a picture at most :data:`MOST_PICTURE_TOKENS`, and ``max_tokens`` bounds the
        reply.
        """
        return self._cost(len(canonical_json(body)) + pictures * MOST_PICTURE_TOKENS, max_tokens, pictures)

    def highest_total(self, *, calls: int, body_bytes: int, max_tokens: int, pictures: int) -> Decimal:
        """The most that some requests can cost together: at least the sum of what :meth:`highest_cost` says of each.

        Args:
            calls: How many requests.
            body_bytes: Bytes of their bodies together.
            max_tokens: Tokens of a reply at most.
            pictures: How many pictures are sent together.
        """
        tokens_in = body_bytes + pictures * MOST_PICTURE_TOKENS
        # Each request is rounded up.
        return min(_HIGHEST, self._cost(tokens_in, calls * max_tokens, pictures) + calls * _UNIT)

    def cost(self, tokens_in: int, tokens_out: int, pictures: int = 0) -> Decimal:
        """What a reply cost, rounded up."""
        return self._cost(tokens_in, tokens_out, pictures)

    def _cost(self, tokens_in: int, tokens_out: int, pictures: int) -> Decimal:
        exact = (self.million_in * tokens_in + self.million_out * tokens_out) / _MILLION + self.per_picture * pictures
        return min(_HIGHEST, exact.quantize(_UNIT, rounding=ROUND_UP))


def digest(server: str, request: Mapping[str, Any], take: str) -> bytes:
    """The SHA-256 of a request as it is kept: everything that the reply depends on.

    Args:
        server: The server's name.
        request: The rendered request; a picture as its SHA-256.
        take: Tells requests apart that are equal on purpose: another take is another call.
    """
    return hashlib.sha256(canonical_json({"server": server, "request": request, "take": take})).digest()


def next_pause(waited: float, requested: float) -> float | None:
    """Seconds until a limited request is sent again, as long as it has waited already; None if it waits no longer.

    Args:
        waited: Seconds since the server first refused it.
        requested: Seconds for which the server wants no further request; 0 if it does not say.
    """
    remaining = LONGEST_WAIT.total_seconds() - waited
    if remaining <= 0 or requested > remaining:
        return None
    return min(remaining, max(requested, _FIRST_PAUSE, min(waited, _LONGEST_PAUSE)))
