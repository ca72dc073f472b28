"""Files out of the store over HTTP, to whoever the caller has found may have them."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from curation.core.stores import store


def answer_file(request: HttpRequest, key: str, *, sha256: str, media_type: str, name: str = "") -> HttpResponseBase:
    """Answer with a file; its ETag is its SHA-256.

    Args:
        request: Whose ``Range`` is heeded where the store can.
        key: Which file.
        sha256: Of its content.
        media_type: What it is.
        name: Offered as a download under this name; empty: shown.

    Raises:
        FileNotFoundError: It is gone.
        StoreAway: Nobody can say.
    """
    tag = f'"{sha256}"'
    same = request.headers.get("If-Range", tag) == tag
    wanted = request.headers.get("Range", "") if same else ""
    answer = store().sent(key, media_type=media_type, wanted=wanted, name=name)
    answer.headers["ETag"] = tag
    return answer
