"""Who may use an operation: capabilities with the reach of each.

Views declare an operation with one of these, or several joined with ``|``. The protocol defines the capabilities of
each role (``curation.benchmarks.rules.RoleBundle``), except of the site's owner.
"""

from __future__ import annotations

from typing import Final

from curation.benchmarks.rules import OUTSIDER
from curation.core.operations import reaches

# Capabilities that no protocol names: everyone with a role has the first, except outsiders, who have one of their own
# (``OUTSIDER``); a team's lead has the second where the protocol lets leads invite.
MEMBER: Final = "member"
LEAD: Final = "lead"

MEMBERS: Final = reaches(member="all")
# Members submit predictions, and so do people outside the team.
SUBMITTERS: Final = reaches(**{"member": "all", OUTSIDER: "own"})
OWNERS: Final = reaches(own="all")
HEADS: Final = reaches(own="all", administer="all")
ADMINISTRATORS: Final = reaches(administer="all")
CURATORS: Final = reaches(own="all", administer="all", inspect_images="all", inspect="all")
STAFF: Final = reaches(own="all", administer="all", inspect="all", review="all")
PICTURE_VIEWERS: Final = reaches(own="all", administer="all", inspect_images="all", inspect="all", review="all")
PICTURE_INSPECTORS: Final = reaches(inspect_images="all")
# People who download a release before it is public.
RELEASE_READERS: Final = reaches(own="all", administer="all", inspect="all")
# A team's lead invites people into their own team.
INVITERS: Final = reaches(own="all", administer="all", lead="team")
# Native speakers propose categories, whatever they contribute; curators decide about them.
BOARD_DECIDERS: Final = reaches(own="all", administer="all", inspect_images="all")
BOARD_PROPOSERS: Final = reaches(collect="all", annotate="all")
BOARD_READERS: Final = BOARD_DECIDERS | BOARD_PROPOSERS
COLLECTORS: Final = reaches(collect="own")
ASSIGNED_ANNOTATORS: Final = reaches(annotate="assigned")
# Members of a team who check each other's items.
VERIFIERS: Final = reaches(verify="team")
# People who write items, or edit those that they check.
WRITERS: Final = reaches(annotate="assigned", verify="team", inspect="all")
