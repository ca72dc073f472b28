"""ASGI entry point of the live channel: ``granian --interface asgi config.live:application --workers 1``."""

import gc
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.channel.application import Channel  # noqa: E402  (needs Django)
from config.checks import refuse_what_is_unsafe  # noqa: E402

refuse_what_is_unsafe()
application = Channel()

# These objects live forever, as in ``config.wsgi``.
gc.collect()
gc.freeze()
