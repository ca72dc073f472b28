"""Parts, reasons, whose turn it is, and the drawn caption of dialogues."""

from __future__ import annotations

import hashlib
from typing import Final

KIND: Final = "dialogue"
QUESTION: Final = "question"
ANSWER: Final = "answer"
PARTS: Final = (QUESTION, ANSWER)
SEED_BYTES: Final = 16
LONGEST_TURN: Final = 1_000  # code points, as every text of a content

# What people say who leave a dialogue, and what the application says: 14 days without both, or the work that the
# dialogue is about was changed or excluded. It says "seen" when the questioner got a role that sees every picture.
PERSONAL_REASONS: Final = ("no_time", "partner", "picture", "caption", "seen", "other")
SYSTEM_REASONS: Final = ("stale", "base_changed")
REASONS: Final = (*PERSONAL_REASONS, *SYSTEM_REASONS)
STALE_DAYS: Final = 14

# Who waits sends a sign in this time, in a background page once a minute, because browsers wake it no more often. No
# one is paired with a person without a sign in the second time; who gave none in the third one waits no longer.
SIGN_SECONDS: Final = 20
FRESH_SECONDS: Final = 80
LOBBY_SECONDS: Final = 300

# A page without a stream of events sends a sign in this time, and one that was typed in at most so often.
PRESENCE_SECONDS: Final = 20
TYPING_SECONDS: Final = 2
# Who wrote nothing for so many times the protocol's minutes is away, even with a page open.
IDLE_FACTOR: Final = 3
# The most people who learn at once that the lobby changed; more read it when their page does so by itself.
MOST_NOTIFIED: Final = 200


def part_of_turn(no: int) -> str:
    """Return who writes a turn: odd ones are questions."""
    return QUESTION if no % 2 else ANSWER


def drawn_caption(seed: bytes, count: int) -> int:
    """Return the position of the caption that a seed draws among as many."""
    return int.from_bytes(hashlib.sha256(seed).digest()[:8], "big") % count
