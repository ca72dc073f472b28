"""Stages and outcomes of verdicts."""

from __future__ import annotations

from typing import Final

# Purposes of judgings and seats, and stages of verdicts: by several people, and by a second person's clicks.
PANEL: Final = "panel"
CLICKS: Final = "clicks"
WITH_JUDGING: Final = (PANEL, CLICKS)
STAGES: Final = ("review", "inspection", "peer", "spot_check", *WITH_JUDGING)
# The outcomes of every stage by which a judge finds the revision right.
POSITIVE: Final = ("accept", "right", "star", "pass")
# All outcomes; statistics also count the edit of a colleague's item as one.
OUTCOMES: Final = (*POSITIVE, "correct", "return", "wrong", "edit", "fail")


def picture_changed_sql(item: str, revision: str, image: str) -> str:
    """Return the SQL of: something in the picture was covered after a revision, and no one judged it well as it is now.

    Args:
        item: Row of the item; its accepted revision is meant.
        revision: Row of that revision.
        image: Row of the picture.
    """
    good = ", ".join(f"'{outcome}'" for outcome in (*POSITIVE, "correct"))
    judged = (
        f"select from annotation_verdict w where w.item_id = {item}.id and w.revision_no = {item}.accepted_no "
        f"and w.outcome in ({good}) and w.picture_no = {image}.redaction_no"
    )
    return f"{image}.redaction_no > {revision}.picture_no and not exists ({judged})"
