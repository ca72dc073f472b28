"""HTTP of releases."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.utils.serializer_helpers import ReturnDict

from annotation.releases import queries, services
from annotation.releases.api import serializers as s
from annotation.releases.models import Release
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest


def row(release: Release, request: PersonRequest) -> ReturnDict[str, Any]:
    """The answer of a command."""
    return s.ReleaseRow(queries.release_row(release.pk), context={"viewer": request.user}).data


class ReleasesView(Operation):
    """The releases of a benchmark."""

    operations = {"GET": "release_list", "POST": "release_create"}
    query = PageInput

    @extend_schema(parameters=[PageInput], responses=s.ReleasePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List them, newest first."""
        given = {"cursor": None, **PageInput.parse(request.query_params.dict())}
        found = queries.releases_page(request.user, benchmark, **given)
        return Response(s.ReleasePage(found, context={"viewer": request.user}).data)

    @extend_schema(request=s.ReleaseInput, responses={201: s.ReleaseRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Start a draft."""
        given = s.ReleaseInput.parse(request.data)
        seed = int(given["seed"]) if "seed" in given else None
        release = services.create_release(
            actor=request.user,
            benchmark_slug=benchmark,
            kind=given["kind"],
            seed=seed,
            client_key=given["client_key"],
        )
        return Response(row(release, request), status=201)


class ReleaseView(Operation):
    """One release."""

    operations = {"GET": "release_show"}

    @extend_schema(responses=s.ReleaseDetail)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show it with gates, splits, files and the job that writes them."""
        release = queries.release_detail(request.user, release_id)
        return Response(s.ReleaseDetail(release, context={"viewer": request.user}).data)


class FreezeView(Operation):
    """Fixing a release."""

    operations = {"POST": "release_freeze"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseRow)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Freeze a draft; answers ``gates_failed`` with everything that does not hold."""
        given = ClientKeyInput.parse(request.data)
        release = services.freeze_release(actor=request.user, release_id=release_id, client_key=given["client_key"])
        return Response(row(release, request))


class FileView(Operation):
    """A release's files."""

    operations = {"GET": "release_file"}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int, name: str) -> FileResponse:
        """Download one."""
        file, opened = services.open_file(actor=request.user, release_id=release_id, name=name)
        answer = FileResponse(opened, as_attachment=True, filename=file.name, content_type="application/octet-stream")
        answer["ETag"] = f'"{file.sha256}"'
        return answer


class ImageReleasesView(Operation):
    """Where a picture was published."""

    operations = {"GET": "image_releases"}

    @extend_schema(responses=s.ImageReleaseRow(many=True))
    def get(self, request: PersonRequest, image: int) -> Response:
        """List the frozen releases that hold it."""
        return Response(s.ImageReleaseRow(queries.releases_of_image(request.user, image), many=True).data)
