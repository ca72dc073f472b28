#!/usr/bin/env python
"""Django's command line for this project."""

import sys

if __name__ == "__main__":
    try:
        from config.command_line import main

        main(sys.argv)
    except ModuleNotFoundError as error:
        if "--traceback" in sys.argv:
            raise
        why = f"{error.name} is not installed for {sys.executable}"
        sys.exit(f"{why}: `make setup`, then `.venv/bin/python manage.py …`")
