"""Celery entry points of this app, gathered from its features."""

from annotation.bulk.tasks import run_bulk, sweep_previews
from annotation.dialogues.tasks import sweep_dialogues
from annotation.drafting.tasks import draft
from annotation.imports.tasks import run_import
from annotation.packages.tasks import follow_pictures
from annotation.pair.tasks import follow_bases
from annotation.quality.tasks import keep_figures, sweep_pools
from annotation.releases.tasks import check_release, freeze_release, write_release_files
from annotation.search.tasks import index_texts
from annotation.tallies.tasks import fold_tallies
from annotation.trials.tasks import sweep_blind_trials, try_blind

__all__ = [
    "check_release",
    "draft",
    "fold_tallies",
    "follow_bases",
    "follow_pictures",
    "freeze_release",
    "index_texts",
    "keep_figures",
    "run_bulk",
    "run_import",
    "sweep_blind_trials",
    "sweep_dialogues",
    "sweep_pools",
    "sweep_previews",
    "try_blind",
    "write_release_files",
]
