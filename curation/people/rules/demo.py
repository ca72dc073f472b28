"""The demo's accounts, whose password is public: settings refuse to start a site that has them outside the demo."""

from __future__ import annotations

from typing import Final

# Printed by the demo and listed on its sign-in page; created only by ``manage.py demo_data`` if LANTERN_DEMO is set.
DEMO_PASSWORD: Final = "lantern-demo-2026"  # noqa: S105  (public on purpose)
DEMO_TEAM_LEADS: Final = ("team-china", "team-egypt")
DEMO_LOG_INS: Final = tuple(
    {"username": username, "password": DEMO_PASSWORD, "role": role}
    for username, role in (
        ("owner", "owner"),
        ("admin", "admin"),
        ("curator", "curator"),
        ("senior", "senior"),
        ("annotator", "annotator"),
        ("annotator2", "annotator"),
        ("contributor", "contributor"),
        # Each leads one of the teams of the second benchmark, and takes no part in the first.
        *((username, "annotator") for username in DEMO_TEAM_LEADS),
    )
)
