"""Why a backup or a restore stopped."""


class BackupError(Exception):
    """Said to whoever runs the command, in one sentence."""
