"""A bucket as the store: any server that speaks S3 and knows conditional writes.

Addresses and keys come from the settings alone. Nothing is public: a file is sent by an address that is signed for a
minute and handed to the web server in front, never to a browser, or it is streamed from here.
"""

from __future__ import annotations

import base64
import logging
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from curation.core.errors import StoreAway, StoredFileDiffers
from curation.core.stores.base import PIECE, Kept, Store, sha256_of
from curation.core.stores.folder import Folder
from curation.lib import files

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 2
READ_SECONDS: Final = 8
TRIES: Final = 3  # of each request, with pauses that double from one second
SIGNED_SECONDS: Final = 60  # an address is used by the web server at once
# A single range, which is all that browsers ask of a picture or a download that goes on.
_RANGE: Final = re.compile(r"bytes=(\d+-\d*|-\d+)")
_GONE: Final = frozenset({"NoSuchKey", "404", "NotFound"})
_STANDS: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})


class Bucket(Store):
    """Files in one bucket, below one prefix.

    Args:
        bucket: Its name.
        endpoint: The server's address, ``https://host[:port]``.
        region: What requests are signed for.
        key_id: Who signs them.
        secret: With what.
        prefix: Set before every key; empty, or without slashes at either end.
        working: The working folder, for copies that are read from a path.
        accel_prefix: Where the web server in front passes requests on to ``endpoint``; empty: files are streamed.
    """

    readers: ClassVar[int] = 8

    def __init__(
        self,
        *,
        bucket: str,
        endpoint: str,
        region: str,
        key_id: str,
        secret: str,
        prefix: str = "",
        working: Path,
        accel_prefix: str = "",
    ) -> None:
        self.bucket, self.prefix = bucket, f"{prefix}/" if prefix else ""
        self.working, self.accel_prefix = Folder(working), accel_prefix
        self._client: Any = _session().client(
            "s3",
            endpoint_url=endpoint,
            region_name=region,
            # Named here, so that no other place where keys may lie is looked into.
            aws_access_key_id=key_id,
            aws_secret_access_key=secret,
            config=Config(
                signature_version="s3v4",
                # The bucket in the path: one address for the proxy in front, whatever the bucket is called.
                s3={"addressing_style": "path"},
                retries={"mode": "standard", "total_max_attempts": TRIES},
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                max_pool_connections=32,
                # Servers other than Amazon's do not all know its newer default sums; ours is given with each file.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """See :class:`Store`. The server compares what arrives with the sum, and writes only where nothing lies."""
        if sha256_of(staged) != sha256:
            raise StoredFileDiffers(key=key)
        try:
            with staged.open("rb") as body, _asked(key):
                self._client.put_object(
                    **self._named(key),
                    Body=body,
                    ContentLength=staged.stat().st_size,
                    ChecksumSHA256=base64.b64encode(bytes.fromhex(sha256)).decode(),
                    Metadata={"sha256": sha256},
                    IfNoneMatch="*",
                )
        except _Stands:
            # Also after a first try of this very call whose answer was lost.
            if self._told(key) != sha256:
                raise StoredFileDiffers(key=key) from None
            return False
        return True

    def replace(self, key: str, staged: Path, sha256: str) -> None:
        """See :class:`Store`."""
        try:
            self.put(key, staged, sha256)
        except StoredFileDiffers:
            self.remove(key)
            self.put(key, staged, sha256)
        staged.unlink(missing_ok=True)

    def read(self, key: str) -> bytes:
        """See :class:`Store`."""
        with _asked(key):
            found: bytes = self._opened(key)["Body"].read()
            return found

    def pieces(self, key: str) -> Iterator[bytes]:
        """See :class:`Store`."""
        with _asked(key):
            yield from self._opened(key)["Body"].iter_chunks(PIECE)

    @contextmanager
    def local(self, key: str) -> Iterator[Path]:
        """See :class:`Store`. A copy in the working folder; one that a killed process leaves is swept by its age."""
        folder = self.working.root / files.INCOMING
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder) as copy:
            self.fetch(key, Path(copy.name))
            yield Path(copy.name)

    def size(self, key: str) -> int:
        """See :class:`Store`."""
        return int(self._head(key)["ContentLength"])

    def remove(self, key: str) -> None:
        """See :class:`Store`."""
        with _asked(key):
            self._client.delete_object(**self._named(key))

    def below(self, folder: str = "") -> Iterator[Kept]:
        """See :class:`Store`."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self.prefix}{folder}/" if folder else self.prefix
        )
        with _asked(folder):
            for page in pages:
                for found in page.get("Contents", ()):
                    key, came = found["Key"].removeprefix(self.prefix), found["LastModified"]
                    yield Kept(key, found["Size"], int(came.timestamp()) * 1_000_000_000)

    def sent(self, key: str, *, media_type: str, wanted: str = "", name: str = "") -> HttpResponseBase:
        """See :class:`Store`."""
        if self.accel_prefix:
            if name:
                self._head(key)  # so that a download whose file is gone is told so
            return HttpResponse(
                content_type=media_type, headers={"X-Accel-Redirect": self._signed(key, media_type, name)}
            )
        part = {"Range": wanted} if _RANGE.fullmatch(wanted) else {}
        try:
            with _asked(key):
                found = self._opened(key, **part)
        except _NoSuchRange:
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{self.size(key)}"})
        answer = FileResponse(found["Body"], content_type=media_type, as_attachment=bool(name), filename=name)
        answer.headers["Content-Length"] = str(found["ContentLength"])
        answer.headers["Accept-Ranges"] = "bytes"
        if "ContentRange" in found:
            answer.status_code = 206
            answer.headers["Content-Range"] = found["ContentRange"]
        return answer

    def look(self) -> None:
        """See :class:`Store`: one request of the bucket, and the working folder."""
        self.working.look()
        with _asked(""):
            self._client.list_objects_v2(Bucket=self.bucket, Prefix=self.prefix, MaxKeys=1)

    def _signed(self, key: str, media_type: str, name: str) -> str:
        """The web server's own path to a file: whoever has it may read the file for a minute, nothing else."""
        said = content_disposition_header(bool(name), name)
        address = urlsplit(
            self._client.generate_presigned_url(
                "get_object",
                Params=self._named(key)
                | {"ResponseContentType": media_type}
                | ({"ResponseContentDisposition": said} if said else {}),
                ExpiresIn=SIGNED_SECONDS,
            )
        )
        return f"{self.accel_prefix}{address.path.lstrip('/')}?{address.query}"

    def _named(self, key: str) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": f"{self.prefix}{key}"}

    def _head(self, key: str) -> dict[str, Any]:
        with _asked(key):
            found: dict[str, Any] = self._client.head_object(**self._named(key))
            return found

    def _opened(self, key: str, **part: str) -> dict[str, Any]:
        found: dict[str, Any] = self._client.get_object(**self._named(key), **part)
        return found

    def _told(self, key: str) -> str:
        """The SHA-256 that was written down, and compared by the server, when the file came; else read again."""
        try:
            return self._head(key)["Metadata"].get("sha256") or self.sha256(key)
        except FileNotFoundError:
            return ""  # removed this very moment


@cache
def _session() -> Any:
    """The description of the service, read once."""
    return boto3.session.Session()


class _Stands(Exception):
    """Something lies there already."""


class _NoSuchRange(Exception):
    """The file ends before it."""


@contextmanager
def _asked(key: str) -> Iterator[None]:
    """Turn what the client raises into what callers know."""
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in _GONE:
            raise FileNotFoundError(key) from None
        if code in _STANDS:
            raise _Stands from None
        if code == "InvalidRange":
            raise _NoSuchRange from None
        # Wrong keys, no such bucket, too many requests, its own failure: nothing that any request could mend.
        log.warning("the object store refused %s: %s", error.operation_name, code)
        raise StoreAway from error
    except BotoCoreError as error:
        log.warning("the object store does not answer: %s", type(error).__name__)
        raise StoreAway from error
