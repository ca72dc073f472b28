"""A second database, for what fills an empty one."""

from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from psycopg import sql


@pytest.fixture
def other_database(transactional_db: None) -> Iterator[Callable[[bool], None]]:
    """An empty database; calling the fixture's value moves this process there, or back home."""
    home = connection.settings_dict["NAME"]
    name = f"{home}_other"

    def go(away: bool) -> None:
        connection.close()
        connection.settings_dict["NAME"] = name if away else home

    def on_server(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL(statement).format(sql.Identifier(name)))

    on_server("drop database if exists {}")
    on_server("create database {}")
    try:
        yield go
    finally:
        go(False)
        on_server("drop database {}")
