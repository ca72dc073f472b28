"""Files of forms that are too large for memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, TemporaryFileUploadHandler

from curation.core.stores.space import disk_full_as_error, require_space
from curation.lib.files import INCOMING

#: Below ``incoming``, so that the sweep removes what a killed process left (``images/services/storage.py``).
FOLDER = "forms"


class _FormFile(TemporaryUploadedFile):
    """A temporary file below ``MEDIA_ROOT``.

    Not by ``FILE_UPLOAD_TEMP_DIR``: Django requires that folder to exist when a process starts.
    """

    def __init__(self, *attributes: Any) -> None:
        folder = Path(settings.MEDIA_ROOT) / INCOMING / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = tempfile.NamedTemporaryFile(dir=folder)  # noqa: SIM115  (closed by the request)
        UploadedFile.__init__(self, file, *attributes)


class TemporaryFiles(TemporaryFileUploadHandler):
    """Writes a form's file to a temporary file below ``MEDIA_ROOT`` while its disk has space."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Create the temporary file.

        Raises:
            StorageFull, StorageUnavailable.
        """
        require_space()
        FileUploadHandler.new_file(self, *args, **kwargs)  # the parent class would create its own file
        with disk_full_as_error():
            self.file = _FormFile(self.file_name, self.content_type, 0, self.charset, self.content_type_extra)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a block.

        Raises:
            StorageFull, StorageUnavailable: The temporary file is removed.
        """
        try:
            require_space(len(raw_data))
            with disk_full_as_error():
                super().receive_data_chunk(raw_data, start)
        except BaseException:
            self.file.close()
            raise
