"""Permission checks, and the rows of people, sessions and benchmarks that a person may use."""

from curation.people.access.links import (
    invitations_visible_to,
    lock_invitation_for,
    lock_open_invitation,
    open_invitation,
)
from curation.people.access.members import (
    lock_grant_for,
    lock_member_of,
    lock_person,
    lock_token_of,
    member_of,
    people_of,
    with_grants,
)
from curation.people.access.names import brief_for, names_visible
from curation.people.access.permissions import (
    benchmark_for,
    benchmark_known_to,
    benchmarks_known_to,
    job_for,
    made_within,
    reaches,
    require,
)
from curation.people.access.sessions import (
    load_session,
    load_token,
    person_signed_in,
    record_use,
    sessions_in_force,
)
from curation.people.access.teams import lock_team_for, lock_team_of, teams_visible_to

__all__ = [
    "benchmark_for",
    "benchmark_known_to",
    "benchmarks_known_to",
    "brief_for",
    "invitations_visible_to",
    "job_for",
    "load_session",
    "load_token",
    "lock_grant_for",
    "lock_invitation_for",
    "lock_member_of",
    "lock_open_invitation",
    "lock_person",
    "lock_team_for",
    "lock_team_of",
    "lock_token_of",
    "made_within",
    "member_of",
    "names_visible",
    "open_invitation",
    "people_of",
    "person_signed_in",
    "reaches",
    "record_use",
    "require",
    "sessions_in_force",
    "teams_visible_to",
    "with_grants",
]
