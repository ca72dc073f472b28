"""How far an answering is, when it will end, and what it costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, TextIO

_TERMINAL, _LOG = 0.5, 15.0  # seconds between lines on a terminal, and in a file


class Progress:
    """Writes a line now and then: on a terminal over the one before.

    Args:
        stream: Where to.
        total: Questions in all.
        withheld: How many of them have no right answer in the gold file, so that it cannot be scored here.
        clock: Seconds, for tests.
    """

    def __init__(
        self, stream: TextIO, total: int, withheld: int = 0, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream, self._clock = stream, clock
        self.total, self.withheld = total, withheld
        self._done, self._before = 0, 0
        self._began = clock()
        self._written = float("-inf")
        self._terminal = stream.isatty()
        self.tokens_in = self.tokens_out = self.failed = 0
        self.costs: dict[str, Decimal] = {}  # by currency: another benchmark may pay for the rest

    def start(self) -> None:
        """Measure the pace from now on, and say that the system is loaded: the first chunk may take long."""
        self._began = self._clock()
        self.show()

    def add(self, answers: list[dict[str, Any]], *, here: bool = True, cost: Sequence[str] | None = None) -> None:
        """Count the answers of a chunk and their cost; ``here`` if this process made them, not an earlier one."""
        if cost:
            amount, currency = cost
            self.costs[currency] = self.costs.get(currency, Decimal(0)) + Decimal(amount)
        for answer in answers:
            tokens_in, tokens_out = answer.get("tokens", (0, 0))
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out
            self.failed += "error" in answer
        self._done += len(answers)
        self._before += 0 if here else len(answers)

    def show(self, *, last: bool = False) -> None:
        """Write the line if it is time."""
        now = self._clock()
        if not last and now - self._written < (_TERMINAL if self._terminal else _LOG):
            return
        self._written = now
        text = self.text()
        self._stream.write(f"\r{text}\033[K" if self._terminal else f"{text}\n")
        if last and self._terminal:
            self._stream.write("\n")
        self._stream.flush()

    def note(self, words: str) -> None:
        """Write a line that stays."""
        self._stream.write(f"\r{words}\033[K\n" if self._terminal else f"{words}\n")
        self._stream.flush()

    def text(self) -> str:
        """Return the line: ``1,240 of 10,320, 3.4 a second, ends 14:32, 0.42 USD so far, 3.51 expected``."""
        here, left = self._done - self._before, self.total - self._done
        passed = self._clock() - self._began
        parts = [f"{self._done:,} of {self.total:,}"]
        if here and passed > 0:
            rate = here / passed
            parts.append(f"{rate:,.1f} a second" if rate >= 1 else f"{1 / rate:,.1f} seconds each")
            if left:
                end = datetime.now().astimezone() + timedelta(seconds=left / rate)
                parts.append(f"ends {end:%H:%M}" if left / rate < 72_000 else f"ends {end:%Y-%m-%d %H:%M}")
        if self.tokens_in or self.tokens_out:
            parts.append(f"{self.tokens_in:,} + {self.tokens_out:,} tokens")
        parts += [f"{amount:.2f} {currency}" for currency, amount in self.costs.items()]
        if len(self.costs) == 1 and here and left:
            parts.append(f"{sum(self.costs.values()) / self._done * self.total:.2f} expected")
        if self.failed:
            parts.append(f"{self.failed:,} without an answer")
        return ", ".join(parts)
