"""Conditions that queries share: which files are current, and which pictures a person has looked at."""

from __future__ import annotations

from django.db.models import F, Q


def current_renditions(image: str = "image") -> Q:
    """The condition on rows of files: those of a picture's current version.

    Args:
        image: The way from the rows to the picture.
    """
    return Q(version=F(f"{image}__redaction_no") + 1)


def ticked(image: str = "") -> Q:
    """The condition that a person has looked at a picture's current version: another one, or its contributor.

    Before that only the contributor and curators see it, and no system, which may be at a provider.

    Args:
        image: The way from the rows to the picture; empty: the rows are pictures.
    """
    of = f"{image}__" if image else ""
    return Q(**{f"{of}pii_clear_by__isnull": False}) | Q(**{f"{of}shared_at__isnull": False})


def ticked_sql(image: str) -> str:
    """The condition of :func:`ticked` in SQL; ``image`` is the alias of the pictures' table."""
    return f"({image}.pii_clear_by_id is not null or {image}.shared_at is not null)"
