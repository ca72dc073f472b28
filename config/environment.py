"""The variables of the environment, with errors that name them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

_FORMS = {int: "a whole number", float: "a number"}


class Environment(environ.Env):
    """Refuses a value of another form with the variable's name, and never prints the value, which may be secret."""

    def get_value(self, var: str, cast: Any = None, *args: Any, **more: Any) -> Any:
        """Return a variable's value, or its default.

        Raises:
            ImproperlyConfigured: It is not set and has no default, or has another form.
        """
        try:
            return super().get_value(var, cast, *args, **more)
        except ValueError:
            raise ImproperlyConfigured(f"{var} has to be {_FORMS.get(cast, 'of another form')}.") from None

    def folders(self, var: str, *, default: list[Path]) -> list[Path]:
        """Return the folders of a variable, written as in ``PATH``: a comma may be part of a folder's name."""
        written: str = self.str(var, default="")
        return [Path(folder) for folder in written.split(os.pathsep) if folder] or default
