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
from curation.core.api.operations import operation
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, HEADS, PICTURE_VIEWERS, RELEASE_READERS


def row(release: Release, request: PersonRequest) -> ReturnDict[str, Any]:
    """A release as lists show it."""
    return s.ReleaseRow(queries.release_row(release.pk), context={"viewer": request.user}).data


def shown(release_id: int, request: PersonRequest) -> Response:
    """A release's page; also the answer of a command on it."""
    release = queries.release_detail(request.user, release_id)
    return Response(s.ReleaseDetail(release, context={"viewer": request.user}).data)


class ReleasesView(OperationView):
    """The releases of a benchmark."""

    @operation("release_list", RELEASE_READERS, shows="release", query=PageInput)
    @extend_schema(parameters=[PageInput], responses=s.ReleasePage)
    def get(self, request: PersonRequest, benchmark: str) -> Response:
        """List them, newest first."""
        given = {"cursor": None, **PageInput.parse(request.query_params.dict())}
        found = queries.releases_page(request.user, benchmark, **given)
        return Response(s.ReleasePage(found, context={"viewer": request.user}).data)

    @operation("release_create", ADMINISTRATORS, changes="release")
    @extend_schema(request=s.ReleaseInput, responses={201: s.ReleaseRow})
    def post(self, request: PersonRequest, benchmark: str) -> Response:
        """Start a draft."""
        given = s.ReleaseInput.parse(request.data)
        asked = given | {"seed": int(given["seed"]) if "seed" in given else None}
        release = services.create_release(actor=request.user, benchmark_slug=benchmark, **asked)
        return Response(row(release, request), status=201)


class ReleaseView(OperationView):
    """One release."""

    @operation("release_show", RELEASE_READERS, shows="release")
    @extend_schema(responses=s.ReleaseDetail)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """Show it with gates, splits, files and the job that freezes it or writes them."""
        return shown(release_id, request)

    @operation("release_update", ADMINISTRATORS, changes="release")
    @extend_schema(request=s.ReleaseUpdateInput, responses=s.ReleaseRow)
    def patch(self, request: PersonRequest, release_id: int) -> Response:
        """Change what a draft is going to be."""
        given = s.ReleaseUpdateInput.parse(request.data)
        asked = given | {"seed": int(given["seed"]) if "seed" in given else None}
        release = services.update_release(actor=request.user, release_id=release_id, **asked)
        return Response(row(release, request))


class CheckView(OperationView):
    """Putting a draft forward."""

    @operation("release_check", ADMINISTRATORS, changes="release")
    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Check a draft; answers ``gates_failed`` with everything that does not hold."""
        given = ClientKeyInput.parse(request.data)
        services.check_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class ReopenView(OperationView):
    """Taking a checked release back to be changed."""

    @operation("release_reopen", ADMINISTRATORS, changes="release")
    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Make it a draft again."""
        given = ClientKeyInput.parse(request.data)
        services.reopen_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class FreezeView(OperationView):
    """Fixing a release's content."""

    @operation("release_freeze", ADMINISTRATORS, changes="release")
    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Have it frozen by a worker: the answer is still checked and names the job."""
        given = ClientKeyInput.parse(request.data)
        services.freeze_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class WriteView(OperationView):
    """Writing files again."""

    @operation("release_write", ADMINISTRATORS, changes="release")
    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Start the job that writes a frozen release's files again; an open one goes on."""
        given = ClientKeyInput.parse(request.data)
        services.write_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class PublishView(OperationView):
    """Declaring a release the one that others use."""

    @operation("release_publish", ADMINISTRATORS, changes="release")
    @extend_schema(request=ClientKeyInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Publish it once every file is written."""
        given = ClientKeyInput.parse(request.data)
        services.publish_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class WithdrawView(OperationView):
    """Taking a release back."""

    @operation("release_withdraw", ADMINISTRATORS, changes="release")
    @extend_schema(request=s.WithdrawInput, responses=s.ReleaseDetail)
    def post(self, request: PersonRequest, release_id: int) -> Response:
        """Withdraw it: its rows stay, its files are handed out no more."""
        given = s.WithdrawInput.parse(request.data)
        services.withdraw_release(actor=request.user, release_id=release_id, **given)
        return shown(release_id, request)


class ChangesView(OperationView):
    """What a release changes."""

    @operation("release_changes", RELEASE_READERS, shows="release", query=s.ChangesInput)
    @extend_schema(parameters=[s.ChangesInput], responses=s.ChangePage)
    def get(self, request: PersonRequest, release_id: int) -> Response:
        """List what came in, went, or reads otherwise since the release before."""
        given = {"cursor": None, **s.ChangesInput.parse(request.query_params.dict())}
        return Response(s.ChangePage(queries.changes_page(request.user, release_id, **given)).data)


class GatesView(OperationView):
    """What is to be settled before a release."""

    @operation("release_gates", RELEASE_READERS)
    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponse:
        """Download everything that keeps it from being frozen, beyond what its page names too."""
        name, content = queries.gate_lines(request.user, release_id)
        answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer


class FileView(OperationView):
    """A release's files."""

    @operation("release_file", HEADS)
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponseBase:
        """Download one."""
        file, key = services.file_to_send(actor=request.user, release_id=release_id, name=name)
        return answer_file(request, key, sha256=file.sha256, media_type="application/octet-stream", name=file.name)


class ImageReleasesView(OperationView):
    """Where a picture was published."""

    @operation("image_releases", PICTURE_VIEWERS | reaches(collect="own"), shows="release")
    @extend_schema(responses=s.ImageReleaseRow(many=True))
    def get(self, request: PersonRequest, image: int) -> Response:
        """List the frozen releases that hold it."""
        return Response(s.ImageReleaseRow(queries.releases_of_image(request.user, image), many=True).data)
