"""HTTP of releases."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.utils.serializer_helpers import ReturnDict

from annotation.releases import queries, services
from annotation.releases.api import serializers as s
from annotation.releases.models import Release
from curation.core.api.files import answer_file
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import Operation
from curation.people.api.requests import PersonRequest


def row(release: Release, request: PersonRequest) -> ReturnDict[str, Any]:
    """A release as lists show it."""
    return s.ReleaseRow(queries.release_row(release.pk), context={"viewer": request.user}).data


def shown(release_id: int, request: PersonRequest) -> Response:
    """A release's page; also the answer of a command on it."""
    release = queries.release_detail(request.user, release_id)
    return Response(s.ReleaseDetail(release, context={"viewer": request.user}).data)


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
        asked = given | {"seed": int(given["seed"]) if "seed" in given else None}
        release = services.create_release(actor=request.user, benchmark_slug=benchmark, **asked)
        return Response(row(release, request), status=201)


class ReleaseView(Operation):
    """One release."""

    operations = {"GET": "release_show", "PATCH": "release_update"}

    @extend_schema(responses=s.ReleaseDetail)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show it with gates, splits, files and the job that freezes it or writes them."""
        return shown(release_id, request)

    @extend_schema(request=s.ReleaseUpdateInput, responses=s.ReleaseRow)
    def patch(self, request: PersonRequest, release_id: int) -> Response:
        """Change what a draft is going to be."""
        given = s.ReleaseUpdateInput.parse(request.data)
        asked = given | {"seed": int(given["seed"]) if "seed" in given else None}
        release = services.update_release(actor=request.user, release_id=release_id, **asked)
        return Response(row(release, request))


class CheckView(Operation):
    """Putting a draft forward."""

    operations = {"POST": "release_check"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Check a draft; answers ``gates_failed`` with everything that does not hold."""
        given = ClientKeyInput.parse(request.data)
        services.check_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class ReopenView(Operation):
    """Taking a checked release back to be changed."""

    operations = {"POST": "release_reopen"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Make it a draft again."""
        given = ClientKeyInput.parse(request.data)
        services.reopen_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class FreezeView(Operation):
    """Fixing a release's content."""

    operations = {"POST": "release_freeze"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Have it frozen by a worker: the answer is still checked and names the job."""
        given = ClientKeyInput.parse(request.data)
        services.freeze_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class WriteView(Operation):
    """Writing files again."""

    operations = {"POST": "release_write"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Start the job that writes a frozen release's files again; an open one goes on."""
        given = ClientKeyInput.parse(request.data)
        services.write_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class PublishView(Operation):
    """Declaring a release the one that others use."""

    operations = {"POST": "release_publish"}

    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Publish it once every file is written."""
        given = ClientKeyInput.parse(request.data)
        services.publish_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class WithdrawView(Operation):
    """Taking a release back."""

    operations = {"POST": "release_withdraw"}

    @extend_schema(request=s.WithdrawInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Withdraw it: its rows stay, its files are handed out no more."""
        given = s.WithdrawInput.parse(request.data)
        services.withdraw_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class ChangesView(Operation):
    """What a release changes."""

    operations = {"GET": "release_changes"}
    query = s.ChangesInput

    @extend_schema(parameters=[s.ChangesInput], responses=s.ChangePage)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """List what came in, went, or reads otherwise since the release before."""
        given = {"cursor": None, **s.ChangesInput.parse(request.query_params.dict())}
        return Response(s.ChangePage(queries.changes_page(request.user, release_id, **given)).data)


class GatesView(Operation):
    """What is to be settled before a release."""

    operations = {"GET": "release_gates"}

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponse:
        """Download everything that keeps it from being frozen, beyond what its page names too."""
        name, content = queries.gate_lines(request.user, release_id)
        answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer


class FileView(Operation):
    """A release's files."""

    operations = {"GET": "release_file"}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponseBase:
        """Download one."""
        file, key = services.file_to_send(actor=request.user, release_id=release_id, name=name)
        return answer_file(request, key, sha256=file.sha256, media_type="application/octet-stream", name=file.name)


class ImageReleasesView(Operation):
    """Where a picture was published."""

    operations = {"GET": "image_releases"}

    @extend_schema(responses=s.ImageReleaseRow(many=True))
    def get(self, request: PersonRequest, image: int) -> Response:
        """List the frozen releases that hold it."""
        return Response(s.ImageReleaseRow(queries.releases_of_image(request.user, image), many=True).data)
