"""Files in parts over HTTP: tus 1.0 with creation, checksum, termination and expiration (https://tus.io).

Bodies are read block by block from the connection, never as a whole; the headers are checked before the first byte is
read.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import FileResponse
from django.utils.http import http_date
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from curation.core.api.operations import operation
from curation.core.api.views import OperationView
from curation.core.errors import InvalidInput
from curation.images import queries, services
from curation.images.errors import FilenameUnreadable, TusVersionWrong
from curation.images.models import Upload
from curation.people.api.requests import PersonRequest
from curation.people.rules import COLLECTORS

PART_TYPE = "application/offset+octet-stream"
EXTENSIONS = "creation,checksum,termination,expiration"


class UnparsedBody(BaseParser):
    """Accepts the content type of parts and leaves the body unread."""

    media_type = PART_TYPE

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Reject parsing: the view reads from the connection."""
        raise InvalidInput(fields={"": [f"{PART_TYPE} is not a form."]})


class TusView(OperationView):
    """Base of the protocol's views: version header in every response, version check of every request."""

    refusals = (410, 412, 460, 507)  # dropped, another version, damaged in transit, disk full
    parser_classes = (UnparsedBody,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse other versions of the protocol, after the person was authorized.

        Raises:
            TusVersionWrong: The client uses another version, or none.
        """
        super().initial(request, *args, **kwargs)
        if request.method != "OPTIONS" and request.headers.get("Tus-Resumable") != services.TUS_VERSION:
            raise TusVersionWrong(version=services.TUS_VERSION)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Add the version to every response, errors included."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Tus-Resumable"] = services.TUS_VERSION
        if final.status_code == TusVersionWrong.status:
            final["Tus-Version"] = services.TUS_VERSION
        return final


class UploadsView(TusView):
    """Creating an upload."""

    @operation("upload_create", COLLECTORS, contributes=True, changes="upload")
    @extend_schema(
        request=None,
        responses={200: None, 201: None},
        parameters=[
            OpenApiParameter("Upload-Length", int, OpenApiParameter.HEADER, required=True),
            OpenApiParameter("Upload-Metadata", str, OpenApiParameter.HEADER, required=True),
        ],
    )
    def post(self, request: PersonRequest, benchmark_slug: str) -> Response:
        """Create an upload; 200 if an earlier try with the same key created it."""
        metadata = _metadata(request.headers.get("Upload-Metadata", ""))
        created = services.create_upload(
            actor=request.user,
            benchmark_slug=benchmark_slug,
            filename=_text(metadata, "filename"),
            length=_number(request, "Upload-Length"),
            client_key=_key(metadata),
            sha256=_sha256(metadata),
        )
        upload = created.upload
        headers = _progress_headers(upload) | {"Location": f"/api/v1/uploads/{upload.pk}"}
        return Response(status=200 if created.replayed else 201, headers=headers)


class UploadView(TusView):
    """One upload."""

    streams_body = True

    @operation("upload_offset", COLLECTORS)
    @extend_schema(request=None, responses={200: None})
    def head(self, request: PersonRequest, upload_id: UUID) -> Response:
        """Report how many bytes are acknowledged and on the disk."""
        return Response(
            headers=_progress_headers(services.upload_with_offset(request.user, upload_id))
            | {"Cache-Control": "no-store"}
        )

    @operation("upload_part", COLLECTORS)
    @extend_schema(
        request={PART_TYPE: bytes},
        responses={204: None},
        parameters=[
            OpenApiParameter("Upload-Offset", int, OpenApiParameter.HEADER, required=True),
            OpenApiParameter("Upload-Checksum", str, OpenApiParameter.HEADER),
        ],
    )
    def patch(self, request: PersonRequest, upload_id: UUID) -> Response:
        """Append a part."""
        if request.content_type != PART_TYPE:
            raise InvalidInput(fields={"Content-Type": [f"{PART_TYPE} is expected."]})
        length = request.headers.get("Content-Length", "")
        upload = services.append_part(
            actor=request.user,
            upload_id=upload_id,
            offset=_number(request, "Upload-Offset"),
            announced=int(length) if length.isdecimal() else None,
            source=request._request,  # noqa: SLF001  (REST framework would read the whole body)
            checksum=request.headers.get("Upload-Checksum", ""),
        )
        return Response(status=204, headers=_progress_headers(upload))

    @operation("upload_drop", COLLECTORS, changes="upload")
    @extend_schema(request=None, responses={204: None})
    def delete(self, request: PersonRequest, upload_id: UUID) -> Response:
        """Drop the upload."""
        services.drop_upload(actor=request.user, upload_id=upload_id)
        return Response(status=204)


class UploadThumbView(OperationView):
    """The thumb of a checked upload, for its sender only."""

    @operation("upload_thumb", COLLECTORS)
    @extend_schema(exclude=True)
    def get(self, request: PersonRequest, upload_id: UUID) -> FileResponse:
        """Send the thumb."""
        path = queries.staged_thumb(request.user, upload_id)
        response = FileResponse(path.open("rb"), content_type="image/webp")
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox; frame-ancestors 'none'"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def options_headers() -> dict[str, str]:
    """Return what the server supports, for OPTIONS."""
    return {
        "Tus-Version": services.TUS_VERSION,
        "Tus-Extension": EXTENSIONS,
        "Tus-Checksum-Algorithm": ",".join(services.ALGORITHMS),
        "Tus-Max-Size": str(settings.UPLOAD_ZIP_LIMIT_BYTES),
    }


def _progress_headers(upload: Upload) -> dict[str, str]:
    return {
        "Upload-Offset": str(upload.received),
        "Upload-Length": str(upload.bytes),
        "Upload-Expires": http_date(upload.expires_at.timestamp()),
    }


def _number(request: Request, name: str) -> int:
    value = request.headers.get(name, "")
    if not value.isdecimal() or len(value) > 15:
        raise InvalidInput(fields={name: ["A whole number is expected."]})
    return int(value)


def _metadata(header: str) -> dict[str, bytes]:
    """Parse ``Upload-Metadata``: names, each followed by its value in base64, separated by commas."""
    metadata = {}
    try:
        for pair in filter(None, header[:8_000].split(",")):
            name, _, encoded = pair.strip().partition(" ")
            metadata[name] = base64.b64decode(encoded.strip(), validate=True)
    except binascii.Error as error:
        raise InvalidInput(fields={"Upload-Metadata": ["Values in base64 are expected."]}) from error
    return metadata


def _text(metadata: dict[str, bytes], name: str) -> str:
    try:
        return metadata.get(name, b"").decode()
    except UnicodeDecodeError as error:
        raise FilenameUnreadable from error


def _key(metadata: dict[str, bytes]) -> UUID:
    try:
        return UUID(_text(metadata, "client_key"))
    except ValueError as error:
        raise InvalidInput(fields={"Upload-Metadata": ["client_key is expected to be a UUID."]}) from error


def _sha256(metadata: dict[str, bytes]) -> str:
    checksum = _text(metadata, "checksum").removeprefix("sha256").strip().lower()
    if checksum and (len(checksum) != 64 or any(c not in "0123456789abcdef" for c in checksum)):
        raise InvalidInput(fields={"Upload-Metadata": ["checksum is expected to be a SHA-256, hexadecimal."]})
    return checksum
