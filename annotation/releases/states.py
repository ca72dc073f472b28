"""Life of a release."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "freeze": move("draft", "frozen", "release_freeze"),
}
