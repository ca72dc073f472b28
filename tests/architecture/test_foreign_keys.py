"""Foreign keys run the same way as imports: from a higher room to a lower one.

The order of the rooms is read from the import contracts in pyproject.toml, so there is one list of it.
"""

import tomllib
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
APPS = ("curation", "annotation", "evaluation")


def room_heights() -> dict[str, int]:
    """Each room with its height: an app stands on the whole of the app below."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    by_id = {contract["id"]: contract for contract in contracts}
    heights: dict[str, int] = {}
    for app_number, app in enumerate(APPS):
        # The first layer is that of the app's index files; the others are rooms, high to low.
        for layer_number, layer in enumerate(reversed(by_id[app]["layers"][1:])):
            for room in layer.split("|"):
                heights[f"{app}.{room.strip()}"] = app_number * 100 + layer_number
    return heights


HEIGHTS = room_heights()


def rooms_of_tables() -> dict[str, str]:
    return {
        model._meta.db_table: ".".join(model.__module__.split(".")[:2])
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label in APPS
    }


def test_the_order_read_from_the_contracts_is_the_one_meant() -> None:
    assert HEIGHTS["curation.core"] < HEIGHTS["curation.people"] < HEIGHTS["curation.images"]
    assert HEIGHTS["curation.images"] < HEIGHTS["annotation.kinds"] < HEIGHTS["annotation.releases"]
    assert HEIGHTS["annotation.releases"] < HEIGHTS["evaluation.systems"] < HEIGHTS["evaluation.scoring"]


def test_every_table_belongs_to_a_room() -> None:
    assert sorted(set(rooms_of_tables().values()) - set(HEIGHTS)) == []


@pytest.mark.django_db
def test_no_foreign_key_of_the_database_points_upwards() -> None:
    """Reads the database's own catalogue: constraints written in SQL count too.

    One exception: any row may say which person did it, because who acts is known to Django by a setting
    (``AUTH_USER_MODEL``), not by an import.
    """
    person = apps.get_model(settings.AUTH_USER_MODEL)._meta.db_table
    rooms = rooms_of_tables()
    with connection.cursor() as cursor:
        cursor.execute(
            "select conname, source.relname, target.relname from pg_constraint "
            "join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid "
            "where contype = 'f'"
        )
        keys = cursor.fetchall()
    upward = []
    seen = 0
    for name, source, target in keys:
        if source not in rooms or target not in rooms or target == person:
            continue
        seen += 1
        if HEIGHTS[rooms[target]] > HEIGHTS[rooms[source]]:
            upward.append(f"{name}: {rooms[source]} → {rooms[target]}")
    assert upward == []
    assert seen > 10
