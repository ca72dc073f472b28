"""Stored files over HTTP. Callers check first that the client may read the file."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from curation.core.stores import store


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
    same = request.headers.get("If-Range", tag) == tag
    range_header = request.headers.get("Range", "") if same else ""
    answer = store().response(key, media_type=media_type, range_header=range_header, name=name)
    answer.headers["ETag"] = tag
    return answer
