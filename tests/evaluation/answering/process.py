# ruff: noqa: E402  (Django first)
"""``manage.py answer`` with a slow double behind it, as a process that a test can kill.

Arguments: the file that counts the asks, then those of the command.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("SECRET_KEY", "reads files and signs nothing")

import django

django.setup()

from django.core.management import call_command

from curation.core.registry import Registry
from evaluation.answering.services import systems
from tests.evaluation.answering.double import Double, Entry, text

counter = Path(sys.argv[1])


class Slow(Double):
    def generate(self, asks, decoding):
        time.sleep(0.1)
        with counter.open("a") as file:
            file.writelines(f"{text(ask)!r}\n" for ask in asks)
        self.replies = {f"第{i}题": f"答案：{'ABCD'[i % 4]}" for i in range(99, 0, -1)}
        return super().generate(asks, decoding)


systems.BACKENDS = Registry("backend", {"double": Entry(Slow())})
call_command("answer", *sys.argv[2:])
