"""Whether the creator of a link may still create it, and revoking links that they may not.

Links are checked when they are used, too. Revoked ones stay revoked when their creator gets the right again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.operations import Reach
from curation.people.models import Invitation, Person, Team
from curation.people.queries import may_set_password


def protocol_part(benchmark: Benchmark, name: str) -> Any:
    """A top-level part of a benchmark's protocol; None where it is absent."""
    return benchmark.protocol.content.get(name) if benchmark.protocol else None


def sign_up_of(benchmark: Benchmark) -> str:
    """Whether people outside the team may submit predictions: ``off``, ``invited`` or ``open``."""
    return str((protocol_part(benchmark, "publication") or {}).get("sign_up", "off"))


def may_invite(person: Person, benchmark: Benchmark, team: Team | None, roles: Sequence[str], *, lead: bool) -> bool:
    """Whether a person may invite with these roles, and into this team as a member or its lead.

    A team's lead may invite into their own team, with the roles that the protocol gives its members, and not as
    another lead.
    """
    reach = person.reach(benchmark.pk, "invitation_create") if person.is_active else Reach.NONE
    if reach in (Reach.ALL, Reach.NONE):
        return reach is Reach.ALL
    allowed = (protocol_part(benchmark, "teams") or {}).get("roles")
    is_own = team is not None and team.lead_id == person.pk
    return is_own and not lead and isinstance(allowed, list) and set(roles) <= set(allowed)


def creator_may_create(link: Invitation) -> bool:
    """Whether the creator of a link could create it now."""
    creator = link.invited_by
    if link.person is None:
        return may_invite(creator, link.benchmark, link.team, link.roles, lead=link.lead)
    return creator.is_active and may_set_password(creator, link.person, link.benchmark)


def revoke_unusable_links(links: Q, *, actor: Person, cause: str) -> None:
    """Revoke those open links that their creators may no longer create, with an audit entry for each.

    Args:
        links: The links to check.
        actor: The person whose change is the cause.
        cause: The operation that changed it.
    """
    creators: dict[int, Person] = {}
    unusable = []
    for link in _lock_open(links):
        link.invited_by = creators.setdefault(link.invited_by_id, link.invited_by)  # loads grants once
        if not creator_may_create(link):
            unusable.append(link)
    _revoke(unusable, actor=actor, cause=cause)


def revoke_links(links: Q, *, actor: Person, cause: str) -> None:
    """Revoke open links, with an audit entry for each."""
    _revoke(_lock_open(links), actor=actor, cause=cause)


def _lock_open(links: Q) -> QuerySet[Invitation]:
    # Waits for links that are being used: a use that fails leaves its link open. Links are locked last and in the order
    # of their ids (see ``access.lock_open_invitation``).
    rows = Invitation.objects.select_related("benchmark__protocol", "team", "person", "invited_by")
    rows = rows.select_for_update(of=("self",), no_key=True).order_by("pk")
    return rows.filter(links, used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def _revoke(links: Iterable[Invitation], *, actor: Person, cause: str) -> None:
    for link in links:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        decision = Decision(actor_id=actor.pk, action="invitation_revoke", row=link, client_key=None)
        decision.record_transition("open", "revoked", **described(link), cause=cause)


def described(link: Invitation) -> dict[str, Any]:
    """What the audit log says of a link: whose password it sets, or what it gives."""
    if link.person_id is not None:
        return {"person_id": link.person_id}
    return {"roles": link.roles, "team_id": link.team_id, "lead": link.lead}
