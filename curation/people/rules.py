"""Who may do what: roles, reaches and the one permission table.

The table is data: views are checked against it, ``tests/permissions.csv`` is generated from it, the docs print it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple


class Role(StrEnum):
    """Named bundles of operations (W-P1). ``owner`` is the whole site's, all others one benchmark's."""

    OWNER = "owner"
    ADMIN = "admin"
    CURATOR = "curator"
    SENIOR = "senior"
    ANNOTATOR = "annotator"
    CONTRIBUTOR = "contributor"


class Reach(StrEnum):
    """How far an operation goes: every row of the benchmark, rows assigned to the person, rows they made, none."""

    ALL = "all"
    ASSIGNED = "assigned"
    OWN = "own"
    NONE = "none"


_WIDTH: Final = (Reach.NONE, Reach.OWN, Reach.ASSIGNED, Reach.ALL)


class Grant(NamedTuple):
    """A role in force."""

    benchmark_id: int | None
    slug: str | None
    role: Role
    team_id: int | None = None


def _row(**reaches: str) -> Mapping[Role, Reach]:
    return {Role(role): Reach(reach) for role, reach in reaches.items()}


_EVERYBODY: Final = _row(owner="all", admin="all", curator="all", senior="all", annotator="all", contributor="all")
_STAFF: Final = _row(owner="all", admin="all", curator="all", senior="all")

PERMISSIONS: Final[Mapping[str, Mapping[Role, Reach]]] = {
    # site and people
    "session_show": _EVERYBODY,
    "session_update": _EVERYBODY,
    "preset_list": _row(owner="all"),
    "benchmark_list": _EVERYBODY,
    "benchmark_create": _row(owner="all"),
    "benchmark_show": _EVERYBODY,
    "person_list": _row(owner="all", admin="all"),
    "person_create": _row(owner="all", admin="all"),
    "audit_list": _row(owner="all", admin="all", curator="all"),
    "job_show": _row(owner="all", admin="all", curator="all"),
    "waiting_show": _EVERYBODY,
    # pictures
    "image_list": _row(owner="all", admin="all", curator="all", senior="all", contributor="own"),
    "image_upload": _row(admin="all", curator="all", contributor="all"),
    "image_show": _row(owner="all", admin="all", curator="all", senior="all", contributor="own"),
    "image_judge": _row(admin="all", curator="all"),
    "image_clear": _row(admin="all", curator="all"),
    "media_show": _row(owner="all", admin="all", curator="all", senior="all", annotator="assigned", contributor="own"),
    # the package track
    "package_list": _row(owner="all", admin="all", curator="all", senior="all", annotator="assigned"),
    "package_build": _row(admin="all"),
    "package_claim": _row(annotator="all"),
    "package_show": _row(owner="all", admin="all", curator="all", senior="all", annotator="assigned"),
    "package_resume": _row(annotator="assigned"),
    "work_next": _row(annotator="assigned"),
    "draft_save": _row(annotator="assigned"),
    "item_submit": _row(annotator="assigned"),
    "package_self_check": _row(annotator="assigned"),
    "package_hand_over": _row(annotator="assigned"),
    "package_sheet": _row(owner="all", admin="all", curator="all", senior="all", annotator="assigned"),
    "package_review_take": _row(senior="all"),
    "item_review": _row(senior="assigned"),
    "package_review_complete": _row(senior="assigned"),
    "inspection_show": _row(owner="all", admin="all", curator="all", senior="assigned", annotator="assigned"),
    "item_inspect": _row(curator="all"),
    "package_inspection_complete": _row(curator="all"),
    "item_history": _row(owner="all", admin="all", curator="all", senior="all", annotator="assigned"),
    # releases and evaluation
    "release_list": _row(owner="all", admin="all", curator="all"),
    "release_create": _row(admin="all"),
    "release_show": _row(owner="all", admin="all", curator="all"),
    "release_freeze": _row(admin="all"),
    "release_file": _row(owner="all", admin="all"),
    "release_scores": _row(owner="all", admin="all", curator="all", senior="all"),
    "release_score": _row(admin="all"),
    "run_list": _row(owner="all", admin="all", curator="all", senior="all"),
    "system_list": _row(owner="all", admin="all", curator="all", senior="all"),
}

# Open to whoever is signed in, even while they hold no role yet or any more.
SIGNED_IN: Final = frozenset({"session_show", "session_update", "benchmark_list"})


def reach(grants: Iterable[Grant], benchmark_id: int | None, operation: str) -> Reach:
    """The widest reach that grants give for an operation in a benchmark; an unknown operation reaches nothing.

    Args:
        grants: Roles in force.
        benchmark_id: The benchmark; None asks for operations of the site.
        operation: A key of :data:`PERMISSIONS`.
    """
    row = PERMISSIONS.get(operation, {})
    here = (g for g in grants if g.benchmark_id is None or benchmark_id in (g.benchmark_id, None))
    return max((row.get(g.role, Reach.NONE) for g in here), key=_WIDTH.index, default=Reach.NONE)


def operations_of(grants: Iterable[Grant], benchmark_id: int | None) -> list[str]:
    """Every operation open in a benchmark, in table order."""
    held = list(grants)
    return [op for op in PERMISSIONS if reach(held, benchmark_id, op) is not Reach.NONE]


# What the demo prints and its sign-in page offers; made only by ``manage.py demo_data`` where LANTERN_DEMO is set.
DEMO_PASSWORD: Final = "lantern-demo-2026"  # noqa: S105  (public on purpose)
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
    )
)
