"""What admins do with releases, and what workers do for them: a release's life, its freezing and its files."""

from annotation.releases.services.freezing import FREEZE, freeze
from annotation.releases.services.life import (
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
    file_to_send,
    folder_of,
    go_on_with_full,
    key_of,
    write_files,
)

__all__ = [
    "FREEZE",
    "WRITE_FILES",
    "check_release",
    "create_release",
    "file_to_send",
    "folder_of",
    "freeze",
    "freeze_release",
    "go_on_with_full",
    "key_of",
    "publish_release",
    "reopen_release",
    "update_release",
    "withdraw_release",
    "write_files",
    "write_release",
]
