"""Django's PostgreSQL backend with one change (``base``)."""
