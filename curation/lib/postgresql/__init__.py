"""Django's PostgreSQL backend with one difference (``base``)."""
