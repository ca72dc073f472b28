"""What a model answered to a release's questions without their pictures."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection

from annotation.releases.models import Release
from annotation.trials.queries import KIND

# ``squares`` is the sum of the squares of the numbers of questions on each picture.
_SUMS: Final = """
    with tried as (
        select e.image_id, t.language, t.model, p.name || ' ' || p.no as prompt, t.tries, t.hits, t.flagged_from,
            (select count(*) from jsonb_array_elements(t.answers) a where a ->> 'letter' is null) as unread
        from annotation_releaseentry e
        join annotation_itemrevision r on r.item_id = e.item_id and r.no = e.revision_no
        join annotation_blindtrial t on t.revision_id = r.id
        join curation_prompt p on p.id = t.prompt_id
        where e.release_id = %(release)s and e.kind = %(kind)s
    ), on_pictures as (
        select language, model, prompt, count(*) as questions, sum(tries) as tries, sum(hits) as hits,
            sum(unread) as unread, count(*) filter (where hits >= flagged_from) as flagged
        from tried group by language, model, prompt, image_id
    )
    select language, model, prompt, sum(questions)::int as questions, count(*)::int as pictures,
        sum(questions * questions)::int as squares, sum(tries)::int as tries, sum(hits)::int as hits,
        sum(unread)::int as unread, sum(flagged)::int as flagged
    from on_pictures group by language, model, prompt order by language, model, prompt
"""
_FLAGGED: Final = """
    select count(distinct r.id)::int, (count(distinct r.id) filter (where t.hits >= t.flagged_from))::int
    from annotation_releaseentry e
    join annotation_itemrevision r on r.item_id = e.item_id and r.no = e.revision_no
    join annotation_blindtrial t on t.revision_id = r.id
    where e.release_id = %(release)s and e.kind = %(kind)s
"""


def blind_trials_of(release: Release, kind: str) -> dict[str, Any] | None:
    """Sum the blind trials of the questions in a release's entries; None without any. Two statements.

    ``questions`` have trials, ``flagged`` of them are flagged in at least one language; ``languages`` are the sums by
    language, model and prompt.
    """
    if kind != KIND:
        return None
    params: dict[str, Any] = {"release": release.pk, "kind": kind}
    with connection.cursor() as cursor:
        cursor.execute(_FLAGGED, params)
        questions, flagged = cursor.fetchone()
        if not questions:
            return None
        cursor.execute(_SUMS, params)
        names = [column.name for column in cursor.description or ()]
        languages = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {"questions": questions, "flagged": flagged, "languages": languages}
