"""Life cycle of a run. A worker closes a run over a release when nothing is left; a rolling one stays open."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "pause": move("open", "paused", "run_pause"),
    "resume": move("paused", "open", "run_resume"),
    "cancel": move("open paused", "cancelled", "run_cancel"),
    "retry": move("open paused closed", "open", "run_retry"),
}
