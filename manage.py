#!/usr/bin/env python
"""Django's command line for this project."""

import sys

try:
    from config.command_line import main
except ModuleNotFoundError as error:
    sys.exit(f"{error.name} is not installed for {sys.executable}: `make setup`, then `.venv/bin/python manage.py …`")

if __name__ == "__main__":
    main(sys.argv)
