"""HTTP of releases."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from annotation.releases import queries, services
from annotation.releases.api import serializers as s
from curation.core.api.files import answer_file, answer_parts
from curation.core.api.operations import command, operation, query
from curation.core.api.pages import PageInput
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.api.requests import PersonRequest
from curation.people.rules import ADMINISTRATORS, HEADS, MEMBERS, PICTURE_VIEWERS, RELEASE_READERS, STAFF

# Who reads all errata; members and people outside the team read their own. Who reports, and who decides about them.
_ERRATA_READERS = reaches(own="all", administer="all", inspect="all", member="own", outsider="own")
_ERRATA_REPORTERS = MEMBERS | reaches(outsider="own")
_ERRATA_JUDGES = reaches(administer="all", inspect="all")


class ReleasesView(OperationView):
    """The releases of a benchmark."""

    get = query("release_list", queries.release_page, STAFF, parameters=PageInput, shows="release")
    post = command(
        "release_create",
        services.create_release,
        s.ReleaseInput,
        ADMINISTRATORS,
        then=queries.saved_release,
        status=201,
        changes="release",
    )


class ReleaseView(OperationView):
    """One release."""

    get = query("release_show", queries.release_detail, STAFF, shows="release")
    patch = command(
        "release_update",
        services.update_release,
        s.ReleaseUpdateInput,
        ADMINISTRATORS,
        then=queries.saved_release,
        changes="release",
    )


class CheckView(OperationView):
    """Checking a draft."""

    post = command(
        "release_check",
        services.check_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class ReopenView(OperationView):
    """Making a checked release a draft again."""

    post = command(
        "release_reopen",
        services.reopen_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class FreezeView(OperationView):
    """Freezing a checked release."""

    post = command(
        "release_freeze",
        services.freeze_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class WriteView(OperationView):
    """Writing files again."""

    post = command(
        "release_write",
        services.write_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class PublishView(OperationView):
    """Publishing a frozen release."""

    post = command(
        "release_publish",
        services.publish_release,
        ClientKeyInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class WithdrawView(OperationView):
    """Withdrawing a release."""

    post = command(
        "release_withdraw",
        services.withdraw_release,
        s.WithdrawInput,
        ADMINISTRATORS,
        then=queries.moved_release,
        changes="release",
    )


class ChangesView(OperationView):
    """Changes since the previous release."""

    get = query("release_changes", queries.change_page, STAFF, parameters=s.ChangesInput, shows="release")


class GatesView(OperationView):
    """The failures that prevent freezing, as a table."""

    @operation("release_gates", STAFF)
    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponse:
        """Download every failure, including those that the release's page does not list."""
        file = queries.gate_table(request.user, release_id)
        answer = HttpResponse(file.content, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
        return answer


class FileView(OperationView):
    """A release's files without withheld answers."""

    refusals = (410,)  # something in a picture was covered since

    @operation("release_file", RELEASE_READERS)
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponseBase:
        """Download one."""
        file, key = services.file_to_send(actor=request.user, release_id=release_id, name=name)
        return answer_file(request, key, sha256=file.sha256, media_type="application/octet-stream", name=file.name)


class KeyFileView(OperationView):
    """A release's files with withheld answers."""

    @operation("release_key", HEADS)
    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int, name: str) -> HttpResponseBase:
        """Download one."""
        file, key = services.key_file_to_send(actor=request.user, release_id=release_id, name=name)
        return answer_file(request, key, sha256=file.sha256, media_type="application/octet-stream", name=file.name)


class ArchiveView(OperationView):
    """A release as one download."""

    refusals = (410,)

    @operation("release_archive", RELEASE_READERS)
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: PersonRequest, release_id: int) -> HttpResponseBase:
        """Download the public files and the pictures in one ZIP file, which can be resumed."""
        archive = services.archive_to_send(actor=request.user, release_id=release_id)
        return answer_parts(
            request,
            archive.parts,
            size=archive.size,
            sha256=archive.tag,
            media_type="application/zip",
            name=archive.name,
        )


class ImageReleasesView(OperationView):
    """The releases that hold a picture."""

    get = query("image_releases", queries.releases_of_image, PICTURE_VIEWERS | reaches(collect="own"), shows="release")


class ErrataView(OperationView):
    """Reported mistakes in published releases."""

    get = query("erratum_list", queries.erratum_page, _ERRATA_READERS, parameters=s.ErrataInput, shows="erratum")
    post = command(
        "erratum_report",
        services.report_erratum,
        s.ErratumInput,
        _ERRATA_REPORTERS,
        then=queries.changed_erratum,
        status=201,
        changes="erratum",
    )


class ConfirmErratumView(OperationView):
    """Confirming a mistake."""

    post = command(
        "erratum_confirm",
        services.confirm_erratum,
        s.ErratumDecisionInput,
        _ERRATA_JUDGES,
        then=queries.changed_erratum,
        changes="erratum",
    )


class RejectErratumView(OperationView):
    """Rejecting a report."""

    post = command(
        "erratum_reject",
        services.reject_erratum,
        s.ErratumDecisionInput,
        _ERRATA_JUDGES,
        then=queries.changed_erratum,
        changes="erratum",
    )


class WithdrawErratumView(OperationView):
    """Withdrawing a confirmed erratum."""

    post = command(
        "erratum_withdraw",
        services.withdraw_erratum,
        s.ErratumDecisionInput,
        _ERRATA_JUDGES,
        then=queries.changed_erratum,
        changes="erratum",
    )
