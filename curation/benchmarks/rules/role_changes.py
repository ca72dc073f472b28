"""What a new protocol version changes about who may do what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

# Stands for the leads of teams in place of a role's code, which never begins with a dot.
LEADS: Final = ".leads"


class RoleChange(NamedTuple):
    """The capabilities that a role gains and loses.

    Attributes:
        role: The role's code, or :data:`LEADS`.
        name: Its name in the newer version, or in the older one if the role is removed; None for the leads.
        gained: Capabilities (``review``, ``annotate:captions``); for the leads, codes of the roles with which they
            may now invite people.
        lost: Likewise.
    """

    role: str
    name: Any
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def role_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[RoleChange]:
    """List the roles whose capabilities differ between two versions' contents, in the order of the newer one.

    A role that only one version has gains or loses all its capabilities: people may still hold a role that an earlier
    version removed. A capability for one kind is not gained by a role that had it for every kind.
    """
    old, new = (_bundles(content) for content in (before, after))
    rows = []
    for role in [*new, *(code for code in old if code not in new)]:
        had, has = (set(bundles.get(role, {}).get("capabilities", ())) for bundles in (old, new))
        name = (new.get(role) or old[role])["name"]
        rows.append(RoleChange(role, name, _beyond(has, had), _beyond(had, has)))
    invited, invites = (_invited_by_leads(content) for content in (before, after))
    rows.append(RoleChange(LEADS, None, tuple(sorted(invites - invited)), tuple(sorted(invited - invites))))
    return [change for change in rows if change.gained or change.lost]


def gaining(changes: Iterable[RoleChange]) -> list[str]:
    """The roles that gain something; adopting such a version takes the site's owner or two administrators."""
    return [change.role for change in changes if change.gained]


def _bundles(content: Mapping[str, Any]) -> dict[str, Any]:
    return {role["code"]: role for role in content.get("roles") or []}


def _beyond(capabilities: set[str], others: set[str]) -> tuple[str, ...]:
    """The capabilities that others do not include."""
    return tuple(sorted(one for one in capabilities if one not in others and one.partition(":")[0] not in others))


def _invited_by_leads(content: Mapping[str, Any]) -> set[str]:
    teams = content.get("teams") or {}
    return set(teams["roles"]) if teams.get("lead_may_invite") else set()
