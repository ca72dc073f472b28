"""Who may do what: capabilities, reaches and the one permission table.

The table is data: views are checked against it, ``tests/permissions.csv`` and a page of the docs are generated from
it. Which capabilities a role has is the protocol's (``curation.benchmarks.rules.RoleBundle``); the site's role
``owner`` alone is written here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from curation.benchmarks.rules import Capability


class Reach(StrEnum):
    """How far an operation goes.

    Every row of the benchmark; rows made by somebody in a team of the person's or by themselves; rows assigned to the
    person; rows they made; none.
    """

    ALL = "all"
    TEAM = "team"
    ASSIGNED = "assigned"
    OWN = "own"
    NONE = "none"


_WIDTH: Final = (Reach.NONE, Reach.OWN, Reach.ASSIGNED, Reach.TEAM, Reach.ALL)

# What no protocol gives: whoever holds any role has the first, a team's lead the second where the protocol lets leads
# invite people into their team.
MEMBER: Final = "member"
LEAD: Final = "lead"


class Grant(NamedTuple):
    """A role in force, with what it allows under the benchmark's protocol of this moment.

    Attributes:
        benchmark_id: None for the site's owner.
        role: A code of the protocol's roles, or ``owner``.
        capabilities: ``name`` or ``name:kind``.
        consented: Whether its holder agreed to the protocol's consent text, or nothing is asked.
        only: Operations it is narrowed to, because the request came with a token; None: not narrowed.
    """

    benchmark_id: int | None
    slug: str | None
    role: str
    team_id: int | None = None
    capabilities: tuple[str, ...] = ()
    consented: bool = True
    only: frozenset[str] | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Read what ``curation.people.models.grants_in_force`` selects."""
        if row["benchmark_id"] is None:
            return cls(benchmark_id=None, slug=None, role=row["role"], capabilities=(Capability.OWN.value,))
        given = tuple(row["capabilities"] or ())
        return cls(
            benchmark_id=row["benchmark_id"],
            slug=row["slug"],
            role=row["role"],
            team_id=row["team_id"],
            capabilities=(*given, LEAD) if row["lead"] and row["leads_invite"] else given,
            consented=row["asked"] in ("", None, row["agreed"]),
        )


def _row(**reaches: str) -> dict[str, Reach]:
    return {capability: Reach(reach) for capability, reach in reaches.items()}


_MEMBERS: Final = _row(member="all")
_OWNER: Final = _row(own="all")
_HEADS: Final = _row(own="all", administer="all")
_ADMINISTER: Final = _row(administer="all")
_CURATORS: Final = _row(own="all", administer="all", inspect_images="all", inspect="all")
_STAFF: Final = _row(own="all", administer="all", inspect="all", review="all")
_LOOK_AT_PICTURES: Final = _row(own="all", administer="all", inspect_images="all", inspect="all", review="all")
_INSPECT_IMAGES: Final = _row(inspect_images="all")
_COLLECT: Final = _row(collect="own")
_WRITE: Final = _row(annotate="assigned")

PERMISSIONS: Final[Mapping[str, Mapping[str, Reach]]] = {
    # the site
    "session_show": _MEMBERS,
    "session_update": _MEMBERS,
    "preset_list": _OWNER,
    "preset_show": _OWNER,
    "benchmark_list": _MEMBERS,
    "benchmark_create": _OWNER,
    "benchmark_show": _MEMBERS,
    "account_close": _OWNER,
    "account_open": _OWNER,
    "token_list": _MEMBERS,
    "token_create": _MEMBERS,
    "token_revoke": _MEMBERS,
    # people of a benchmark
    "person_list": _HEADS,
    "person_show": _HEADS,
    "role_grant": _HEADS,
    "role_end": _HEADS,
    "team_list": _row(own="all", administer="all", member="team"),
    "team_create": _HEADS,
    "team_update": _HEADS,
    "team_close": _HEADS,
    "invitation_list": _row(own="all", administer="all", lead="team"),
    "invitation_create": _row(own="all", administer="all", lead="team"),
    "invitation_revoke": _row(own="all", administer="all", lead="team"),
    "invitation_read": {},
    "invitation_accept": {},
    "password_link": _HEADS,
    "password_set": {},
    "consent_show": _MEMBERS,
    "consent_give": _MEMBERS,
    "consent_withdraw": _MEMBERS,
    "audit_list": _CURATORS,
    "audit_file": _CURATORS,
    "job_show": _CURATORS,
    "waiting_show": _MEMBERS,
    "notice_list": _MEMBERS,
    "notice_read": _MEMBERS,
    # the protocol
    "protocol_list": _MEMBERS,
    "protocol_show": _MEMBERS,
    "protocol_compare": _MEMBERS,
    "protocol_adopt": _HEADS,
    "protocol_check": _HEADS,
    # pictures
    "upload_options": _COLLECT,
    "upload_create": _COLLECT,
    "upload_offset": _COLLECT,
    "upload_part": _COLLECT,
    "upload_drop": _COLLECT,
    "upload_list": _COLLECT,
    "upload_thumb": _COLLECT,
    "upload_describe": _COLLECT,
    "upload_take": _COLLECT,
    "image_list": _LOOK_AT_PICTURES | _row(collect="team"),
    "image_counts": _LOOK_AT_PICTURES | _row(collect="team"),
    "image_show": _LOOK_AT_PICTURES | _row(collect="team"),
    "image_items": _LOOK_AT_PICTURES | _row(collect="own"),
    "image_releases": _LOOK_AT_PICTURES | _row(collect="own"),
    "image_hold": _INSPECT_IMAGES,
    "image_hold_renew": _INSPECT_IMAGES,
    "image_hold_release": _INSPECT_IMAGES,
    "image_judge": _INSPECT_IMAGES,
    "image_clear": _INSPECT_IMAGES,
    "image_take_down": _row(administer="all", inspect_images="all", collect="own"),
    "image_restore": _ADMINISTER,
    "media_show": _LOOK_AT_PICTURES | _row(annotate="assigned", collect="team"),
    # the package track
    "guideline_list": _MEMBERS,
    "guideline_show": _MEMBERS,
    "guideline_preset": _ADMINISTER,
    "guideline_add": _ADMINISTER,
    "guideline_acknowledge": _MEMBERS,
    "board_show": _STAFF,
    "quality_show": _STAFF | _row(annotate="own"),
    "item_import": _ADMINISTER,
    "import_list": _HEADS,
    "import_create": _ADMINISTER,
    "import_show": _HEADS,
    "import_rows": _HEADS,
    "item_list": _STAFF,
    "item_show": _STAFF | _WRITE,
    "package_list": _STAFF | _WRITE,
    "package_preview": _ADMINISTER,
    "package_build": _ADMINISTER,
    "package_assign": _ADMINISTER,
    "package_take_back": _ADMINISTER,
    "package_withdraw": _ADMINISTER,
    "package_claim": _row(annotate="all"),
    "package_show": _STAFF | _WRITE,
    "package_resume": _WRITE,
    "work_next": _WRITE,
    "draft_save": _WRITE,
    "item_submit": _WRITE,
    "item_skip": _WRITE,
    "package_self_check": _WRITE,
    "package_hand_over": _WRITE,
    "package_sheet": _STAFF | _WRITE,
    "package_review_take": _row(review="all"),
    "item_review": _row(review="assigned"),
    "item_skip_decide": _row(review="assigned"),
    "package_review_complete": _row(review="assigned"),
    "inspection_show": _row(own="all", administer="all", inspect="all", review="assigned", annotate="assigned"),
    "item_inspect": _row(inspect="all"),
    "package_inspection_complete": _row(inspect="all"),
    "item_history": _STAFF | _WRITE,
    "item_people": _STAFF | _WRITE,
    "comment_list": _STAFF | _WRITE,
    "comment_add": _STAFF | _WRITE,
    # pools: a purpose of review asks for the one capability, of inspection for the other
    "pool_show": _row(review="all", inspect="all"),
    "pool_claim": _row(review="all", inspect="all"),
    "pool_renew": _row(review="all", inspect="all"),
    "pool_release": _row(review="all", inspect="all"),
    # releases and evaluation
    "release_list": _row(own="all", administer="all", inspect="all"),
    "release_create": _ADMINISTER,
    "release_show": _row(own="all", administer="all", inspect="all"),
    "release_gates": _row(own="all", administer="all", inspect="all"),
    "release_changes": _row(own="all", administer="all", inspect="all"),
    "release_update": _ADMINISTER,
    "release_check": _ADMINISTER,
    "release_reopen": _ADMINISTER,
    "release_freeze": _ADMINISTER,
    "release_write": _ADMINISTER,
    "release_publish": _ADMINISTER,
    "release_withdraw": _ADMINISTER,
    "release_file": _HEADS,
    "release_scores": _STAFF,
    "release_score": _ADMINISTER,
    "leaderboard_show": _STAFF,
    "leaderboard_compare": _STAFF,
    "leaderboard_file": _STAFF,
    "sample_list": _STAFF,
    "sample_show": _STAFF,
    "run_list": _STAFF,
    "run_start": _ADMINISTER,
    "run_show": _STAFF,
    "run_failures": _STAFF,
    "run_pause": _ADMINISTER,
    "run_resume": _ADMINISTER,
    "run_cancel": _ADMINISTER,
    "run_retry": _ADMINISTER,
    "submission_releases": _MEMBERS,
    "submission_list": _row(own="all", administer="all", member="own"),
    "submission_create": _MEMBERS,
    "submission_template": _MEMBERS,
    "submission_show": _row(own="all", administer="all", member="own"),
    "submission_file": _row(own="all", administer="all", member="own"),
    "submission_list_on": _row(own="all", administer="all", member="own"),
    "submission_list_off": _row(own="all", administer="all", member="own"),
    "system_list": _STAFF,
    "system_show": _STAFF,
    "system_fetch": _OWNER,
    "system_serve": _OWNER,
    "model_server_list": _OWNER,
}

# Open to whoever is signed in, even while they hold no role yet or any more; each shows and changes their own only.
SIGNED_IN: Final = frozenset(
    {
        "session_show",
        "session_update",
        "benchmark_list",
        "notice_list",
        "notice_read",
        "token_list",
        "token_create",
        "token_revoke",
    }
)

# Open to whoever brings a link, signed in or not.
BY_LINK: Final = frozenset({"invitation_read", "invitation_accept", "password_set"})

# What adds to the benchmark: only after agreeing to its consent text (W-P2).
CONTRIBUTIONS: Final = frozenset(
    {
        "upload_create",
        "upload_take",
        "image_judge",
        "image_clear",
        "package_claim",
        "draft_save",
        "item_submit",
        "item_skip",
        "item_review",
        "item_skip_decide",
        "item_inspect",
        "pool_claim",
        "comment_add",
    }
)

# What a program never does, whatever its token lists: who may do what, who somebody is, and what only a person can say.
NEVER_BY_TOKEN: Final = BY_LINK | frozenset(
    {
        "session_update",
        "notice_list",
        "notice_read",
        "guideline_acknowledge",
        "benchmark_create",
        "system_fetch",
        "system_serve",
        "account_close",
        "account_open",
        "token_list",
        "token_create",
        "token_revoke",
        "person_list",
        "person_show",
        "role_grant",
        "role_end",
        "team_list",
        "team_create",
        "team_update",
        "team_close",
        "invitation_list",
        "invitation_create",
        "invitation_revoke",
        "password_link",
        "consent_show",
        "consent_give",
        "consent_withdraw",
    }
)


class NoticeForm(NamedTuple):
    """What a notice leads to, and what fills its sentence: labels, codes and numbers, never names.

    ``comment`` is what whoever did it wrote to the person who is told; it stands nowhere else.

    Attributes:
        target: The kind of row it leads to; ``package``: ``target_id`` is a package's, and so on.
        params: The names that fill the sentence, all of them and no others.
    """

    target: str
    params: frozenset[str]


# Everything that somebody is told in the page; the sentence stands in the front end under the code.
NOTICES: Final[Mapping[str, NoticeForm]] = {
    "mentioned": NoticeForm("item", frozenset({"item"})),
    "commented": NoticeForm("item", frozenset({"item"})),
    "skip_insisted": NoticeForm("item", frozenset({"item", "package"})),
    "package_assigned": NoticeForm("package", frozenset({"package"})),
    "package_taken_back": NoticeForm("package", frozenset({"package", "comment"})),
    "package_returned": NoticeForm("package", frozenset({"package"})),
    "package_passed": NoticeForm("package", frozenset({"package"})),
    "guideline_new": NoticeForm("guideline", frozenset({"kind", "version"})),
}


def planned_capabilities() -> list[str]:
    """Capabilities that no operation asks for yet: of kinds and tracks that are not built."""
    asked = {name for row in PERMISSIONS.values() for name in row}
    return [c.value for c in Capability if c.value not in asked]


def reach(grants: Iterable[Grant], benchmark_id: int | None, operation: str, kind: str | None = None) -> Reach:
    """The widest reach that grants give for an operation in a benchmark; an unknown operation reaches nothing.

    Args:
        grants: Roles in force.
        benchmark_id: The benchmark; None asks for operations of the site.
        operation: A key of :data:`PERMISSIONS`.
        kind: The kind of work it concerns; without one a capability for any kind counts.
    """
    row = PERMISSIONS.get(operation)
    if not row:
        return Reach.NONE
    widest = Reach.NONE
    for grant in grants:
        if grant.benchmark_id is not None and benchmark_id not in (grant.benchmark_id, None):
            continue
        if grant.only is not None and operation not in grant.only:
            continue
        for capability in (MEMBER, *grant.capabilities):
            name, _, narrowed = capability.partition(":")
            if narrowed and kind is not None and narrowed != kind:
                continue
            widest = max(widest, row.get(name, Reach.NONE), key=_WIDTH.index)
    return widest


def gives(grants: Iterable[Grant], benchmark_id: int, operation: str, exactly: Reach) -> bool:
    """Whether some role gives an operation just this reach, whatever wider one another gives.

    A team's rows and assigned ones overlap only in part, so that the widest reach alone would not tell of both.
    """
    return any(reach([grant], benchmark_id, operation) is exactly for grant in grants)


def operations_of(grants: Iterable[Grant], benchmark_id: int | None) -> list[str]:
    """Every operation open in a benchmark, in table order."""
    held = list(grants)
    return [op for op in PERMISSIONS if reach(held, benchmark_id, op) is not Reach.NONE]


def narrowed(grants: Iterable[Grant], *, benchmark_id: int, slug: str, operations: Iterable[str]) -> tuple[Grant, ...]:
    """What is left of grants for a token: one benchmark, and in it the listed operations that tokens may hold.

    A grant for the whole site becomes one for that benchmark.
    """
    only = frozenset(operations) - NEVER_BY_TOKEN
    return tuple(
        grant._replace(benchmark_id=benchmark_id, slug=slug, only=only)
        for grant in grants
        if grant.benchmark_id in (benchmark_id, None)
    )


def digest(grants: Iterable[Grant]) -> str:
    """Twelve hexadecimal digits that change when somebody's grants do; pages compare them to notice it."""
    told = sorted(
        (str(g.benchmark_id), g.role, str(g.team_id), *sorted(g.capabilities), str(g.consented)) for g in grants
    )
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


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
