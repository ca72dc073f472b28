"""Django's PostgreSQL backend, which finds out whether a kept connection still lives without asking the server."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at the socket where Django sends ``SELECT 1`` with the first statement of every request."""

    def is_usable(self) -> bool:
        """Whether the server is still there.

        An idle connection has nothing to read. When it has, the server said goodbye (a restart) or something harmless,
        and only then is it asked.
        """
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0) or bool(super().is_usable())
