"""Who uses an operation: capabilities with how far each reaches.

Views name one of these, or join several with ``|``, when they declare an operation. Which capabilities a role has is
the protocol's (``curation.benchmarks.rules.RoleBundle``); the site's role ``owner`` alone is defined here.
"""

from __future__ import annotations

from typing import Final

from curation.core.operations import reaches

# What no protocol gives: whoever holds any role has the first, a team's lead the second where the protocol lets leads
# invite people into their team.
MEMBER: Final = "member"
LEAD: Final = "lead"

MEMBERS: Final = reaches(member="all")
OWNERS: Final = reaches(own="all")
HEADS: Final = reaches(own="all", administer="all")
ADMINISTRATORS: Final = reaches(administer="all")
CURATORS: Final = reaches(own="all", administer="all", inspect_images="all", inspect="all")
STAFF: Final = reaches(own="all", administer="all", inspect="all", review="all")
PICTURE_VIEWERS: Final = reaches(own="all", administer="all", inspect_images="all", inspect="all", review="all")
PICTURE_INSPECTORS: Final = reaches(inspect_images="all")
# Those who decide about a release or read it before it is published.
RELEASE_READERS: Final = reaches(own="all", administer="all", inspect="all")
# A team's lead invites people into their own team.
INVITERS: Final = reaches(own="all", administer="all", lead="team")
COLLECTORS: Final = reaches(collect="own")
ASSIGNED_ANNOTATORS: Final = reaches(annotate="assigned")
