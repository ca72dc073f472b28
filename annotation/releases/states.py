"""The life cycles of a release and of an erratum."""

from enum import StrEnum
from typing import Final

from curation.core.transitions import Table, move, stay

# States in which a release's content is fixed and its files exist or are being written.
WRITTEN: Final = frozenset({"frozen", "published"})

TABLE: Table = {
    "update": stay("draft", "release_update"),
    "write": stay(" ".join(sorted(WRITTEN)), "release_write"),
    "check": move("draft", "checked", "release_check"),
    "reopen": move("checked", "draft", "release_reopen"),
    "freeze": move("checked", "frozen", "release_freeze"),
    "publish": move("frozen", "published", "release_publish"),
    "withdraw": move("draft checked frozen published", "withdrawn", "release_withdraw"),
}


class Relation(StrEnum):
    """The relation of a person to an erratum."""

    NOT_REPORTER = "not_the_reporter"


ERRATA: Table = {
    "confirm": move("reported", "confirmed", "erratum_confirm", Relation.NOT_REPORTER),
    "reject": move("reported", "rejected", "erratum_reject", Relation.NOT_REPORTER),
    "withdraw": move("confirmed", "withdrawn", "erratum_withdraw", Relation.NOT_REPORTER),
}
