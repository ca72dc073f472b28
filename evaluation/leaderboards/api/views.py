"""HTTP of leaderboards and samples."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from curation.core.api.operations import operation, query
from curation.core.api.views import OperationView
from curation.people.api.requests import PersonRequest
from curation.people.rules import STAFF
from evaluation.leaderboards import queries
from evaluation.leaderboards.api import serializers as s

# An SVG opened by itself is a document; it must not run or load anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


class LeaderboardView(OperationView):
    """The systems of a release side by side."""

    get = query("leaderboard_show", queries.leaderboard, STAFF, parameters=s.BoardQuery, shows="score submission run")


class ComparisonView(OperationView):
    """Two systems on the queries both were ranked on."""

    get = query("leaderboard_compare", queries.comparison, STAFF, parameters=s.ComparisonQuery, shows="score")


class ProfileBoardView(OperationView):
    """What a profile scores for a release, by a tag of the questions."""

    get = query(
        "leaderboard_profile",
        queries.release_board,
        STAFF,
        parameters=s.ReleaseProfileBoardQuery,
        shows="score submission run",
    )


class ProfileComparisonView(OperationView):
    """Two runs or submissions on the questions that both have."""

    get = query(
        "leaderboard_profile_compare",
        queries.release_comparison,
        STAFF,
        parameters=s.ReleaseRowsQuery,
        shows="score submission run",
    )


class SetBoardView(OperationView):
    """What a profile scores on an item set, by a tag of the questions."""

    get = query("set_board", queries.set_board, STAFF, parameters=s.ProfileBoardQuery, shows="score run")


class SetComparisonView(OperationView):
    """Two runs on the questions of an item set."""

    get = query("set_board_compare", queries.set_comparison, STAFF, parameters=s.RowsQuery, shows="score run")


_FILES = {
    (200, "text/csv"): OpenApiTypes.BINARY,
    (200, "application/x-tex"): OpenApiTypes.BINARY,
    (200, "image/svg+xml"): OpenApiTypes.BINARY,
    (200, "image/png"): OpenApiTypes.BINARY,
}


class LeaderboardFileView(OperationView):
    """The board as a file."""

    @operation("leaderboard_file", STAFF, query=s.FileQuery)
    @extend_schema(parameters=[s.FileQuery], responses=_FILES)
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponse:
        """Send a table or a chart; equal scores give equal bytes."""
        parameters = s.FileQuery.parse(request.query_params.dict())
        return _sent(queries.release_file(request.user, release_id, name=name, **parameters))


class SetBoardFileView(OperationView):
    """The board of an item set as a file."""

    @operation("set_board_file", STAFF, query=s.SetFileQuery)
    @extend_schema(parameters=[s.SetFileQuery], responses=_FILES)
    def get(self, request: PersonRequest, set_id: int, name: str) -> HttpResponse:
        """Send a table or a chart; equal scores give equal bytes."""
        parameters = s.SetFileQuery.parse(request.query_params.dict())
        return _sent(queries.set_board_file(request.user, set_id, name=name, **parameters))


def _sent(file: queries.File) -> HttpResponse:
    answer = HttpResponse(file.content, content_type=file.content_type)
    disposition = "inline" if file.content_type.startswith("image/") else "attachment"
    answer["Content-Disposition"] = f'{disposition}; filename="{file.name}"'
    answer["Content-Security-Policy"] = POLICY
    answer["Cache-Control"] = "private, no-cache"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


class SamplesView(OperationView):
    """The queries behind the numbers."""

    get = query("sample_list", queries.samples_page, STAFF, parameters=s.SamplesQuery, shows="score")


class SampleView(OperationView):
    """One query."""

    get = query("sample_show", queries.sample, STAFF, parameters=s.SampleFilters, shows="score")
