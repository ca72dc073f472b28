"""A store in a bucket of any S3 server that supports conditional writes.

Only the settings name addresses and keys. Nothing is public: the web server in front fetches a file from an address
that is signed for one minute and never reaches a browser, or Django streams the file.
"""

from __future__ import annotations

import base64
import logging
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

from curation.core.errors import StorageUnavailable, StoredFileDiffers
from curation.core.stores.base import CHUNK_BYTES, Store, StoredFile, is_range, sha256_of
from curation.core.stores.folder import Folder
from curation.core.stores.space import require_space
from curation.lib import files

log = logging.getLogger(__name__)

# A request holds a thread while it waits, so an unreachable store must fail soon.
CONNECT_SECONDS: Final = 2
READ_SECONDS: Final = 8
TRIES: Final = 3  # of each request, with pauses that double from one second
SIGNED_SECONDS: Final = 60  # the web server uses a signed address at once
NOT_FOUND: Final = frozenset({"NoSuchKey", "404", "NotFound"})
PRECONDITION_FAILED: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412", "409"})


class Bucket(Store):
    """Files in one bucket, below one prefix.

    Args:
        bucket: The bucket's name.
        endpoint: The server's address, ``https://host[:port]``.
        region: The region that requests are signed for.
        key_id: The access key's id.
        secret: The access key's secret.
        prefix: A prefix of every key; empty, or without slashes at either end.
        working: The working folder, for local copies of files.
        accel_prefix: The path that the web server in front proxies to ``endpoint``; empty: Django streams the files.
    """

    parallel_reads: ClassVar[int] = 8

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
            # Without explicit keys boto3 would search the environment and other places for some.
            aws_access_key_id=key_id,
            aws_secret_access_key=secret,
            config=Config(
                signature_version="s3v4",
                # With the bucket in the path the proxy in front needs one address, whatever the bucket's name.
                s3={"addressing_style": "path"},
                retries={"mode": "standard", "total_max_attempts": TRIES},
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                max_pool_connections=32,
                # Not all servers support Amazon's newer default checksums; each put sends a SHA-256 of its own.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def put(self, key: str, staged: Path, sha256: str) -> bool:
        """See :class:`Store`. The server verifies the checksum and writes only if the key does not exist."""
        if sha256_of(staged) != sha256:
            raise StoredFileDiffers(key=key)
        try:
            with staged.open("rb") as body, _translated_errors(key):
                self._client.put_object(
                    **self._object_params(key),
                    Body=body,
                    ContentLength=staged.stat().st_size,
                    ChecksumSHA256=base64.b64encode(bytes.fromhex(sha256)).decode(),
                    Metadata={"sha256": sha256},
                    IfNoneMatch="*",
                )
        except AlreadyExists:
            # This call itself may have stored the file: boto3 retries a request whose response was lost.
            if self._stored_sha256(key) != sha256:
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
        with _translated_errors(key):
            content: bytes = self._get_object(key)["Body"].read()
            return content

    def chunks(self, key: str) -> Iterator[bytes]:
        """See :class:`Store`."""
        with _translated_errors(key):
            yield from self._get_object(key)["Body"].iter_chunks(CHUNK_BYTES)

    def part(self, key: str, first: int, bytes_: int) -> Iterator[bytes]:
        """See :class:`Store`."""
        with _translated_errors(key):
            stored = self._get_object(key, Range=f"bytes={first}-{first + bytes_ - 1}")
            yield from stored["Body"].iter_chunks(CHUNK_BYTES)

    @contextmanager
    def local_path(self, key: str) -> Iterator[Path]:
        """See :class:`Store`. Copies the file to the working folder; the sweep removes what a killed process left."""
        require_space(self.size(key))
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
        with _translated_errors(key):
            self._client.delete_object(**self._object_params(key))

    def destroy(self, key: str) -> None:
        """See :class:`Store`. In a bucket with versions, deleting a file only hides it."""
        with _translated_errors(key):
            pages = self._client.get_paginator("list_object_versions").paginate(
                Bucket=self.bucket, Prefix=f"{self.prefix}{key}"
            )
            for page in pages:
                for entry in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
                    if entry["Key"] == f"{self.prefix}{key}":
                        self._client.delete_object(Bucket=self.bucket, Key=entry["Key"], VersionId=entry["VersionId"])
        self.remove(key)  # servers without versions list none

    def list_files(self, folder: str = "") -> Iterator[StoredFile]:
        """See :class:`Store`."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self.prefix}{folder}/" if folder else self.prefix
        )
        with _translated_errors(folder):
            for page in pages:
                for entry in page.get("Contents", ()):
                    key, modified = entry["Key"].removeprefix(self.prefix), entry["LastModified"]
                    yield StoredFile(key, entry["Size"], int(modified.timestamp()) * 1_000_000_000)

    def response(self, key: str, *, media_type: str, range_header: str = "", name: str = "") -> HttpResponseBase:
        """See :class:`Store`."""
        if self.accel_prefix:
            if name:
                self._head(key)  # raises FileNotFoundError here instead of in the web server
            return HttpResponse(
                content_type=media_type, headers={"X-Accel-Redirect": self._signed(key, media_type, name)}
            )
        range_param = {"Range": range_header} if is_range(range_header) else {}
        try:
            with _translated_errors(key):
                stored = self._get_object(key, **range_param)
        except RangeNotSatisfiable:
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{self.size(key)}"})
        answer = FileResponse(stored["Body"], content_type=media_type, as_attachment=bool(name), filename=name)
        answer.headers["Content-Length"] = str(stored["ContentLength"])
        answer.headers["Accept-Ranges"] = "bytes"
        if "ContentRange" in stored:
            answer.status_code = 206
            answer.headers["Content-Range"] = stored["ContentRange"]
        return answer

    def check(self) -> None:
        """See :class:`Store`. Sends one request to the bucket and checks the working folder."""
        self.working.check()
        with _translated_errors(""):
            self._client.list_objects_v2(Bucket=self.bucket, Prefix=self.prefix, MaxKeys=1)

    def _signed(self, key: str, media_type: str, name: str) -> str:
        """Return the web server's internal path to a file; it grants reading this file for one minute."""
        disposition = content_disposition_header(bool(name), name)
        address = urlsplit(
            self._client.generate_presigned_url(
                "get_object",
                Params=self._object_params(key)
                | {"ResponseContentType": media_type}
                | ({"ResponseContentDisposition": disposition} if disposition else {}),
                ExpiresIn=SIGNED_SECONDS,
            )
        )
        return f"{self.accel_prefix}{address.path.lstrip('/')}?{address.query}"

    def _object_params(self, key: str) -> dict[str, str]:
        return {"Bucket": self.bucket, "Key": f"{self.prefix}{key}"}

    def _head(self, key: str) -> dict[str, Any]:
        with _translated_errors(key):
            head: dict[str, Any] = self._client.head_object(**self._object_params(key))
            return head

    def _get_object(self, key: str, **extra: str) -> dict[str, Any]:
        response: dict[str, Any] = self._client.get_object(**self._object_params(key), **extra)
        return response

    def _stored_sha256(self, key: str) -> str:
        """Return the SHA-256 that the server verified on upload; without one, compute it from the content."""
        try:
            return self._head(key)["Metadata"].get("sha256") or self.sha256(key)
        except FileNotFoundError:
            return ""  # another process has just removed it


@cache
def _session() -> Any:
    """Load boto3's service description once per process."""
    return boto3.session.Session()


class AlreadyExists(Exception):
    """The key exists already."""


class RangeNotSatisfiable(Exception):
    """The file ends before the requested range."""


@contextmanager
def _translated_errors(key: str) -> Iterator[None]:
    """Translate boto3's errors into those that :class:`Store` documents."""
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", ""))
        if code in NOT_FOUND:
            raise FileNotFoundError(key) from None
        if code in PRECONDITION_FAILED:
            raise AlreadyExists from None
        if code == "InvalidRange":
            raise RangeNotSatisfiable from None
        # Wrong keys, a missing bucket, throttling or a server failure: no request could succeed now.
        log.warning("the object store refused %s: %s", error.operation_name, code)
        raise StorageUnavailable from error
    except BotoCoreError as error:
        log.warning("the object store does not respond: %s", type(error).__name__)
        raise StorageUnavailable from error
