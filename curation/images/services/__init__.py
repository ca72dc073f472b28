"""What happens to pictures; one module for each part of their way."""

from curation.images.services.judging import clear_personal_information, judge_image
from curation.images.services.storage import sweep_files
from curation.images.services.uploading import Upload, upload_image

__all__ = ["Upload", "clear_personal_information", "judge_image", "sweep_files", "upload_image"]
