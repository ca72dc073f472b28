"""Stored files over HTTP. Callers check first that the client may read the file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header, parse_etags

from curation.core.errors import NotFound
from curation.core.stores import store
from curation.core.stores.base import range_of

log = logging.getLogger(__name__)

PICTURE_TYPES: Final = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


def answer_file(request: HttpRequest, key: str, *, sha256: str, media_type: str, name: str = "") -> HttpResponseBase:
    """Build a response with a file; its ETag is its SHA-256.

    Args:
        request: The request; the store honours its ``Range`` header if it can.
        key: The file's key.
        sha256: The SHA-256 of its content.
        media_type: The response's content type.
        name: The file name of a download; empty: the browser displays the file.

    Raises:
        FileNotFoundError: The store has no such file.
        StorageUnavailable: The store does not respond.
    """
    tag = f'"{sha256}"'
    range_header = _range_header(request, tag)
    answer = store().response(key, media_type=media_type, range_header=range_header, name=name)
    answer.headers["ETag"] = tag
    return answer


def answer_picture(request: HttpRequest, key: str, *, sha256: str, caching: str) -> HttpResponseBase:
    """Build a response with a picture's file, or 304 if the browser has it.

    Args:
        request: The request.
        key: The file's key, which ends in the type of picture.
        sha256: The SHA-256 of its content.
        caching: How long the browser may use it without asking, as in ``Cache-Control``; other caches never keep it.

    Raises:
        NotFound: The store has no such file.
        StorageUnavailable: The store does not respond.
    """
    try:
        response = (
            HttpResponseNotModified()
            if f'"{sha256}"' in parse_etags(request.headers.get("If-None-Match", ""))
            else answer_file(request, key, sha256=sha256, media_type=PICTURE_TYPES[key.rpartition(".")[2]])
        )
    except FileNotFoundError as error:
        log.exception("the picture %s is missing", key)
        raise NotFound from error
    response.headers["ETag"] = f'"{sha256}"'
    response.headers["Cache-Control"] = f"private, {caching}"
    response.headers["X-Content-Type-Options"] = "nosniff"
    # If the file is opened in a tab, it cannot run scripts or load anything, whatever its content.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox; frame-ancestors 'none'"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def answer_parts(
    request: HttpRequest,
    parts: Callable[[range], Iterable[bytes]],
    *,
    size: int,
    sha256: str,
    media_type: str,
    name: str,
) -> HttpResponseBase:
    """Build a response with a file that is made while it is sent, or with the range of it that is requested.

    Args:
        request: The request.
        parts: Yields the bytes of a range, in chunks.
        size: The size of the whole in bytes.
        sha256: Identifies the content; its ETag.
        media_type: The response's content type.
        name: The file name of the download.
    """
    tag = f'"{sha256}"'
    part = range_of(_range_header(request, tag), size)
    if part is not None and not part:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    whole = range(size) if part is None else part
    answer = StreamingHttpResponse(parts(whole), content_type=media_type)
    answer.headers["ETag"] = tag
    answer.headers["Accept-Ranges"] = "bytes"
    answer.headers["Content-Length"] = str(len(whole))
    answer.headers["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or ""
    if part is not None:
        answer.status_code = 206
        answer.headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    return answer


def _range_header(request: HttpRequest, tag: str) -> str:
    """The request's ``Range``; empty if it is for another version of the file (``If-Range``)."""
    return request.headers.get("Range", "") if request.headers.get("If-Range", tag) == tag else ""
