"""Which statuses each operation may answer, as the API's description says."""

import json
from pathlib import Path

DOCUMENT = json.loads((Path(__file__).resolve().parents[2] / "frontend/src/api/openapi.json").read_text())
DOCUMENTED = {
    each["operationId"]: {int(status) for status in each["responses"]}
    for methods in DOCUMENT["paths"].values()
    for each in methods.values()
}
# Files are no JSON, and HEAD and OPTIONS have no bodies: the document leaves them out or says less of them.
FILES = {
    "upload_options",
    "upload_offset",
    "media_show",
    "guideline_picture",
    "set_picture",
    "upload_thumb",
    "release_file",
    "release_key",
    "release_archive",
    "leaderboard_file",
    "set_board_file",
    "audit_file",
    "image_file",
    "item_file",
    "package_file",
    "publication_preview",
}


def is_documented(operation: str, status: int) -> bool:
    """Whether somebody who read the description expects this."""
    return operation in FILES or status in DOCUMENTED[operation] | {405}
