"""``make attack``: what a hostile member costs others, against an installation of its own on this machine.

It starts production's processes in a folder that is thrown away, and ends by itself within five minutes: each attack
has a bounded number of requests and bytes. The measured figures are printed beside their bounds; one beyond its bound
makes the command fail.
"""

import argparse
import os
import sys

import django


def main() -> int:
    """Attack."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    # For the tests' pictures, which import models; this process itself asks no database.
    os.environ |= {
        "SECRET_KEY": "only-for-an-attack-" + "x" * 40,
        "DATABASE_URL": "postgresql:///none",
        "CELERY_BROKER_URL": "memory://",
        "CACHE_URL": "",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    django.setup()
    from tests.attack.attacks import run  # noqa: PLC0415  (after django.setup)

    return run()


if __name__ == "__main__":
    sys.exit(main())
