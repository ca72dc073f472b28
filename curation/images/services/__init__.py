"""What happens to pictures; one module for each part of their way."""

from curation.images.services.checking import check_upload, give_up
from curation.images.services.describing import describe_uploads
from curation.images.services.finalizing import finalize_uploads
from curation.images.services.holding import hold_images, release_holds, renew_holds
from curation.images.services.judging import Verdict, clear_images, judge_images
from curation.images.services.receiving import (
    ALGORITHMS,
    CHECK_TASK,
    TUS_VERSION,
    Begun,
    append_part,
    create_upload,
    drop_upload,
    offset_of,
    sweep_uploads,
)
from curation.images.services.storage import sweep_files
from curation.images.services.uploading import UploadResult, upload_image
from curation.images.services.withdrawing import restore, take_down

__all__ = [
    "ALGORITHMS",
    "CHECK_TASK",
    "TUS_VERSION",
    "Begun",
    "UploadResult",
    "Verdict",
    "append_part",
    "check_upload",
    "clear_images",
    "create_upload",
    "describe_uploads",
    "drop_upload",
    "finalize_uploads",
    "give_up",
    "hold_images",
    "judge_images",
    "offset_of",
    "release_holds",
    "renew_holds",
    "restore",
    "sweep_files",
    "sweep_uploads",
    "take_down",
    "upload_image",
]
