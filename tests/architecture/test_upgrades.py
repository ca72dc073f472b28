"""During an upgrade the old web process writes to the new tables until it is restarted (``docs/deploy.md``)."""

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import AddField, CreateModel

# The last migrations before this rule. Installations that have them already cannot be helped by changing them.
BEFORE = {"curation": 6, "annotation": 5, "evaluation": 7}


def refused_by_old_processes(migration):
    """Columns that a process that does not know them could not leave out of a new row."""
    new = {operation.name_lower for operation in migration.operations if isinstance(operation, CreateModel)}
    return [
        f"{operation.model_name}.{operation.name}"
        for operation in migration.operations
        if isinstance(operation, AddField)
        and operation.model_name_lower not in new
        and not (operation.field.null or operation.field.many_to_many or operation.field.has_db_default())
    ]


@pytest.mark.parametrize("app", BEFORE)
def test_a_new_column_may_be_null_or_has_a_default_in_the_database(app):
    migrations = MigrationLoader(None).disk_migrations
    wrong = {
        name: columns
        for (label, name), migration in migrations.items()
        if label == app and int(name[:4]) > BEFORE[app] and (columns := refused_by_old_processes(migration))
    }
    assert not wrong, f"give these columns a db_default: {wrong}"


def test_the_rule_finds_a_column_without_one():
    """The migration of chunks' leases is from before the rule."""
    old = MigrationLoader(None).disk_migrations["evaluation", "0006_chunks_are_leased"]
    assert refused_by_old_processes(old) == ["chunk.error_code", "chunk.error_params", "chunk.log"]
