"""Life of a release."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "check": move("draft", "checked", "release_check"),
    "reopen": move("checked", "draft", "release_reopen"),
    "freeze": move("checked", "frozen", "release_freeze"),
    "publish": move("frozen", "published", "release_publish"),
    "withdraw": move("draft checked frozen published", "withdrawn", "release_withdraw"),
}
