"""Sending a picture as the browser does."""

from __future__ import annotations

import base64
import hashlib
import io
import uuid

from PIL import Image

from tools.deploy_check.browser import Browser
from tools.deploy_check.report import check

BENCHMARK = "/api/v1/benchmarks/lantern-demo"
PARTS = 6
TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}


def picture(width: int, height: int) -> bytes:
    """A photograph that the installation cannot have: noise."""
    file = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(file, "JPEG", quality=85)
    return file.getvalue()


def send_in_parts(browser: Browser, name: str, data: bytes) -> str:
    """Send a file by tus as the browser does; the upload's id."""
    fields = {"filename": name, "client_key": str(uuid.uuid4())}
    metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in fields.items())
    begin = TUS | {"Upload-Length": str(len(data)), "Upload-Metadata": metadata}
    status, headers, answer = browser.ask(f"{BENCHMARK}/uploads", b"", **begin)
    check(status == 201, "an upload begins", (status, answer))
    at, size = headers["Location"], -(-len(data) // PARTS)
    for offset in range(0, len(data), size):
        part = data[offset : offset + size]
        digest = base64.b64encode(hashlib.sha256(part).digest()).decode()
        more = TUS | {"Upload-Offset": str(offset), "Upload-Checksum": f"sha256 {digest}"}
        status, _, answer = browser.ask(at, part, method="PATCH", **more)
        check(status == 204, f"the part from {offset:,} arrives", (status, answer))
    return at.rpartition("/")[2]
