#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] and sys.argv[1] in ("answer", "candidates", "check_protocol", "score"):
        os.environ.setdefault("SECRET_KEY", "reads files and signs nothing")
    execute_from_command_line(sys.argv)
