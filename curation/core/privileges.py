"""Privileges of the application's database role: everything except changing append-only tables."""

from __future__ import annotations

import os

import environ
from django.apps import apps
from django.db import connections
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from curation.core.models import AppendOnly


def append_only_tables() -> list[str]:
    """Return the names of all append-only tables."""
    return sorted(m._meta.db_table for m in apps.get_models() if issubclass(m, AppendOnly))


def grant_application_role(cursor: CursorWrapper, role: str) -> None:
    """Create the role if it is missing and set its privileges.

    The role owns nothing, cannot create tables, and has no UPDATE, DELETE or TRUNCATE on append-only tables, so that
    not even a bug in the application can rewrite history. Row locks on such tables would need UPDATE and are not used.
    """
    name = sql.Identifier(role)
    cursor.execute("select 1 from pg_roles where rolname = %s", [role])
    if cursor.fetchone() is None:
        cursor.execute(sql.SQL("create role {} login").format(name))
    cursor.execute(sql.SQL("grant usage on schema public to {}").format(name))
    cursor.execute(sql.SQL("grant select, insert, update, delete on all tables in schema public to {}").format(name))
    cursor.execute(sql.SQL("grant usage, select on all sequences in schema public to {}").format(name))
    for table in append_only_tables():
        cursor.execute(sql.SQL("revoke update, delete, truncate on {} from {}").format(sql.Identifier(table), name))
    cursor.execute(sql.SQL("revoke insert, update, delete on django_migrations from {}").format(name))


def connect_as_owner() -> None:
    """Make this process connect as the owner, if ``DATABASE_OWNER_URL`` is set."""
    if owner := os.environ.get("DATABASE_OWNER_URL"):
        connections["default"].close()
        connections.databases["default"].update(environ.Env.db_url_config(owner))
        connections["default"].settings_dict.update(connections.databases["default"])
