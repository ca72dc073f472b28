"""Commands about uploads and pictures, one module for each step from the first byte to a withdrawal."""

from curation.images.services.checking import check_upload, mark_check_failed
from curation.images.services.correcting import correct_image, correction_refusals
from curation.images.services.covering import cover_image, hold_to_cover, record_proposals, release_covers, renew_covers
from curation.images.services.describing import describe_uploads
from curation.images.services.destroying import (
    all_undone,
    destroy_copy,
    destroy_file,
    destroy_files,
    destroyed_keys,
    destroyed_uploads,
    mark_done,
)
from curation.images.services.enqueuing import CHECK_TASK
from curation.images.services.exposing import record_exposure, record_exposure_to_all, show_to_everybody
from curation.images.services.fetched import add_fetched_file, require_room
from curation.images.services.finalizing import finalize_uploads
from curation.images.services.holding import hold_images, release_holds, renew_holds
from curation.images.services.judging import Verdict, judge_images
from curation.images.services.measuring import check_picture_bytes
from curation.images.services.proposing import SEARCH_TASK, enqueue_searches, search_picture
from curation.images.services.receiving import (
    ALGORITHMS,
    TUS_VERSION,
    CreatedUpload,
    append_part,
    create_upload,
    drop_upload,
    sweep_uploads,
    upload_with_offset,
)
from curation.images.services.storage import sweep_files
from curation.images.services.ticking import Mark, clear_images, share_images
from curation.images.services.uploading import UploadResult, upload_image
from curation.images.services.withdrawing import restore_image, withdraw_image

__all__ = [
    "ALGORITHMS",
    "CHECK_TASK",
    "SEARCH_TASK",
    "TUS_VERSION",
    "CreatedUpload",
    "Mark",
    "UploadResult",
    "Verdict",
    "add_fetched_file",
    "all_undone",
    "append_part",
    "check_picture_bytes",
    "check_upload",
    "clear_images",
    "correct_image",
    "correction_refusals",
    "cover_image",
    "create_upload",
    "describe_uploads",
    "destroy_copy",
    "destroy_file",
    "destroy_files",
    "destroyed_keys",
    "destroyed_uploads",
    "drop_upload",
    "enqueue_searches",
    "finalize_uploads",
    "hold_images",
    "hold_to_cover",
    "judge_images",
    "mark_check_failed",
    "mark_done",
    "record_exposure",
    "record_exposure_to_all",
    "record_proposals",
    "release_covers",
    "release_holds",
    "renew_covers",
    "renew_holds",
    "require_room",
    "restore_image",
    "search_picture",
    "share_images",
    "show_to_everybody",
    "sweep_files",
    "sweep_uploads",
    "upload_image",
    "upload_with_offset",
    "withdraw_image",
]
