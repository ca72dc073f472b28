"""WSGI entry point: ``granian --interface wsgi config.wsgi:application``."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.checks import refuse_what_is_unsafe

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
refuse_what_is_unsafe()

# Every view is loaded before the first request, which would otherwise wait for all of them.
_ = get_resolver().url_patterns
# What is loaded now stays for good: the collector need not walk over it with every few hundred objects of a request.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 50)
