"""The request that views see once the gate let it through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request

if TYPE_CHECKING:
    from curation.people.models import Person


class PersonRequest(Request):
    """A request of somebody signed in; ``permissions.HoldsOperation`` has seen to that. For annotations only."""

    user: Person  # narrower than REST framework's, which allows nobody
