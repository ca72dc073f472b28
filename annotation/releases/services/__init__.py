"""The life of a release: drafting, freezing, writing its files, publishing, withdrawing; errata of published ones."""

from annotation.releases.services.checking import CHECK, check
from annotation.releases.services.destroying import DESTROY, destroy_release_files, folder_of
from annotation.releases.services.errata import confirm_erratum, reject_erratum, report_erratum, withdraw_erratum
from annotation.releases.services.freezing import FREEZE, freeze
from annotation.releases.services.lifecycle import (
    check_release,
    create_release,
    freeze_release,
    publish_release,
    reopen_release,
    update_release,
    withdraw_release,
    write_release,
)
from annotation.releases.services.writing import (
    WRITE_FILES,
    archive_to_send,
    file_to_send,
    key_file_to_send,
    record_pictures_sent,
    write_files,
)

__all__ = [
    "CHECK",
    "DESTROY",
    "FREEZE",
    "WRITE_FILES",
    "archive_to_send",
    "check",
    "check_release",
    "confirm_erratum",
    "create_release",
    "destroy_release_files",
    "file_to_send",
    "folder_of",
    "freeze",
    "freeze_release",
    "key_file_to_send",
    "publish_release",
    "record_pictures_sent",
    "reject_erratum",
    "reopen_release",
    "report_erratum",
    "update_release",
    "withdraw_erratum",
    "withdraw_release",
    "write_files",
    "write_release",
]
