"""What can go wrong before or while the application runs, each as one sentence that says what to do."""


class LaunchError(Exception):
    """A start that cannot go on; the message is printed as it is, without a traceback."""


class StopRequestedError(Exception):
    """The launcher was asked to stop while it was waiting."""
