"""The type of a request in views, after the permission check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request

if TYPE_CHECKING:
    from curation.people.models import Person


class PersonRequest(Request):
    """A request of a signed-in person, as ``permissions.HoldsOperation`` has checked. For annotations only."""

    user: Person  # narrower than REST framework's, which may be anonymous
