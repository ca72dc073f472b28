"""The live channel: one process that passes events (``curation.core.live``) on to browsers as server-sent events."""
