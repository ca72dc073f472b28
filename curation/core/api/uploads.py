"""Files of forms that are too large for memory."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadhandler import TemporaryFileUploadHandler

from curation.core.stores.space import disk_full_as_error, require_space


class TemporaryFiles(TemporaryFileUploadHandler):
    """Writes a form's file to a temporary file while the disk of ``MEDIA_ROOT``, where it goes next, has space.

    The temporary folder may be on another disk; if that one is full, the answer is the same.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Create the temporary file.

        Raises:
            StorageFull, StorageUnavailable.
        """
        require_space()
        with disk_full_as_error():
            super().new_file(*args, **kwargs)

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
