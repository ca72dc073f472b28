"""What admins do with releases, and what workers do for them: a release's life, and its files."""

from annotation.releases.services.life import create_release, freeze_release
from annotation.releases.services.writing import WRITE_FILES, folder_of, open_file, write_files

__all__ = ["WRITE_FILES", "create_release", "folder_of", "freeze_release", "open_file", "write_files"]
