"""``make rehearsal``: the whole script; ``--small`` plays the size that is part of ``make test``."""

import argparse
import sys
import time

from tests.rehearsal.ledger import FULL, SMALL
from tests.rehearsal.play import rehearse, table

LONGEST = 600


def say(line: str) -> None:
    """One line at once, also into a file."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Play and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="4 packages instead of 24")
    begun = time.monotonic()
    planned, seen = rehearse(SMALL if parser.parse_args().small else FULL, say)
    lasted = time.monotonic() - begun
    say(f"\n{table(planned, seen)}\n\n{lasted:.0f} s of at most {LONGEST}")
    return 0 if planned == seen and lasted < LONGEST else 1


if __name__ == "__main__":
    sys.exit(main())
