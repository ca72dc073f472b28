"""Life of a release."""

from typing import Final

from curation.core.transitions import Table, move

TABLE: Table = {
    "check": move("draft", "checked", "release_check"),
    "reopen": move("checked", "draft", "release_reopen"),
    "freeze": move("checked", "frozen", "release_freeze"),
    "publish": move("frozen", "published", "release_publish"),
    "withdraw": move("draft checked frozen published", "withdrawn", "release_withdraw"),
}
# States in which a release's content is fixed and its files are, or are to be, there.
WRITTEN: Final = frozenset({"frozen", "published"})
# What may be done in a state without leaving it.
STAYING: Final = {"release_update": frozenset({"draft"}), "release_write": WRITTEN}
