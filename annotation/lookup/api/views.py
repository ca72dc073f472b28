"""HTTP of finding one thing in a benchmark."""

from __future__ import annotations

from annotation.lookup import queries
from annotation.lookup.api import serializers as s
from curation.core.api.operations import query
from curation.core.api.views import OperationView
from curation.people.rules import MEMBERS


class FindView(OperationView):
    """Items, packages, pictures, categories and people of a benchmark by label, text or name."""

    # It shows names, which programs do not read.
    get = query(
        "find",
        queries.find,
        MEMBERS,
        parameters=s.FindInput,
        by_token=False,
        shows="item package image person",
    )
