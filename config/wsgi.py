"""WSGI entry point: ``granian --interface wsgi config.wsgi:application``."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.checks import refuse_what_is_unsafe

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
refuse_what_is_unsafe()

# Load all views before the first request, which would otherwise wait for that.
_ = get_resolver().url_patterns
# These objects live forever; freezing them saves the garbage collector from scanning them during requests.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 50)
