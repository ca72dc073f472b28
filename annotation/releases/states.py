"""The life cycle of a release."""

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
