"""Errors of a backup or a restore."""


class BackupError(Exception):
    """One sentence for the person who runs the command."""
