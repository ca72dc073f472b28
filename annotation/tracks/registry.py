"""The registry of tracks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annotation.items.tracks import Track
from annotation.pair.services import track as pair
from annotation.panel.services import track as panel
from annotation.peer.services import track as peer
from annotation.quality.services import track as packages
from curation.core.registry import Registry

_ALL: Final[Sequence[Track]] = (packages.TRACK, peer.TRACK, panel.TRACK, pair.TRACK)
TRACKS: Final[Registry[Track]] = Registry("track", {track.name: track for track in _ALL})
