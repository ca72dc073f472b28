"""Every bulk action by its name in :data:`annotation.bulk.rules.ACTIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotation.bulk.services.action import Action
from annotation.bulk.services.items import Exclude
from annotation.bulk.services.packages import Assign, Revoke
from annotation.bulk.services.pictures import Correct

CARRIED_OUT: Final[Mapping[str, Action]] = {
    "assign": Assign(),
    "revoke": Revoke(),
    "category": Correct("category"),
    "licence": Correct("licence"),
    "exclude": Exclude(),
}
