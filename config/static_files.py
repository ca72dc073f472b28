"""The built front end's files: scripts, styles, fonts and pictures, but neither pages nor the build's notes.

Pages are served by ``config.pages``, which adds their headers and data.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware


class FrontendFiles(WhiteNoiseMiddleware):
    """WhiteNoise without HTML files and without hidden files and folders, such as the build's ``.vite``."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        """Serve a file, unless it is a page or hidden."""
        if is_served(url):
            super().add_file_to_dictionary(url, path, stat_cache)

    def candidate_paths_for_url(self, url: str) -> Any:
        """Find files in debug mode and in the demo, where WhiteNoise looks for each request."""
        return super().candidate_paths_for_url(url) if is_served(url) else iter(())


def is_served(url: str) -> bool:
    """Return whether a file of the front end is served as it is."""
    path = PurePosixPath(url)
    return path.suffix not in (".html", ".htm") and not any(part.startswith(".") for part in path.parts)
