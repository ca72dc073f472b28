"""SQL of the figures about verdicts, which reads those of all tracks as rows of one table."""

from __future__ import annotations

# One person's items are selected first, as arrays; with a join the planner would read all verdicts of the benchmark.
_OF_WRITER = """
        (%(of)s::bigint is null or {}.item_id = any (array(
            select r.item_id from annotation_itemrevision r where r.author_id = %(of)s
            and (%(since)s::timestamptz is null or r.created_at >= %(since)s))))
"""
_OF_JUDGE = """
        (%(by)s::bigint is null or v.item_id = any (array(
            select mine.item_id from annotation_verdict mine where mine.judge_id = %(by)s)))
"""
# A colleague's edit of a team's item counts as a verdict on the revision before, unless that one had been returned.
_DECIDED = f"""
    verdicts as materialized (
        select v.id, v.item_id, v.revision_no, v.author_id, v.judge_id, v.stage, v.package_id, v.round, v.outcome,
               v.reasons, p.kind
        from annotation_verdict v join annotation_package p on p.id = v.package_id
        where p.benchmark_id = %(benchmark)s and (%(kind)s::text is null or p.kind = %(kind)s)
        and {_OF_WRITER.format("v")} and {_OF_JUDGE}
        and v.stage in ('review', 'inspection') and not (v.round = p.round and p.state =
            case v.stage when 'review' then 'reviewing' else 'inspecting' end)
      union all
        select v.id, v.item_id, v.revision_no, v.author_id, v.judge_id, v.stage, null, v.round, v.outcome, v.reasons,
               i.kind
        from annotation_verdict v join annotation_item i on i.id = v.item_id
        where i.benchmark_id = %(benchmark)s and (%(kind)s::text is null or i.kind = %(kind)s)
        and {_OF_WRITER.format("v")} and {_OF_JUDGE} and v.stage in ('peer', 'spot_check')
      union all
        select v.id, v.item_id, v.revision_no, v.author_id, v.judge_id, v.stage, null, v.round, v.outcome, v.reasons,
               i.kind
        from annotation_verdict v join annotation_item i on i.id = v.item_id
        left join annotation_judging j on j.id = v.judging_id
        where i.benchmark_id = %(benchmark)s and (%(kind)s::text is null or i.kind = %(kind)s)
        and i.track in ('panel', 'pair')
        and {_OF_WRITER.format("v")} and {_OF_JUDGE}
        and (v.stage = 'inspection' or j.outcome in ('passed', 'failed'))
      union all
        select edit.id, edit.item_id, edited.no, edited.author_id, edit.author_id, 'peer', null, 1, 'edit', '{{}}',
               i.kind
        from annotation_item i join annotation_itemrevision edit on edit.item_id = i.id and edit.origin = 'annotator'
        join annotation_itemrevision edited on edited.item_id = i.id and edited.no = edit.no - 1
        where i.benchmark_id = %(benchmark)s and (%(kind)s::text is null or i.kind = %(kind)s) and i.track = 'peer'
        and {_OF_WRITER.format("edit")} and (%(by)s::bigint is null or edit.author_id = %(by)s)
        and edited.author_id <> edit.author_id and not exists (
            select 1 from annotation_verdict v where v.item_id = i.id and v.revision_no = edited.no
            and v.outcome in ('return', 'wrong')))
"""  # noqa: S608  (constants of this module; values are parameters)
# The first judged revision of each item: how many there are, and how many needed no correction.
AUTHORS = f"""
    with {_DECIDED},
    first as (
        select distinct on (s.item_id, s.author_id) s.item_id, s.author_id, s.revision_no, s.kind, r.created_at
        from verdicts s join annotation_itemrevision r on r.item_id = s.item_id and r.no = s.revision_no
        where r.origin <> 'senior' and (%(only)s::bigint is null or s.author_id = %(only)s)
        order by s.item_id, s.author_id, s.revision_no)
    select f.author_id, f.kind, count(*), count(*) filter (where faulty.item_id is null)
    from first f left join (
        select distinct item_id, revision_no from verdicts
        where outcome in ('correct', 'return', 'wrong', 'edit', 'fail')
    ) faulty on faulty.item_id = f.item_id and faulty.revision_no = f.revision_no
    where %(since)s::timestamptz is null or f.created_at >= %(since)s group by 1, 2
"""  # noqa: S608  (constants of this module; values are parameters)
REASONS = f"""
    with {_DECIDED}
    select s.author_id, s.kind, reason, count(*) from verdicts s, unnest(s.reasons) reason
    where s.outcome in ('correct', 'return', 'wrong', 'fail') and (%(only)s::bigint is null or s.author_id = %(only)s)
    group by 1, 2, 3 order by 4 desc, 3
"""  # noqa: S608  (constants of this module; values are parameters)
# A review is checked by the inspection of what it accepted, an inspection by colleagues' verdicts on the revision, a
# star by a spot check, a panel's verdict by the others of the panel, clicks by a decision. An edit has the number of a
# revision, which may be that of a verdict, too: the outcome tells them apart.
JUDGES = f"""
    with {_DECIDED},
    checks as (
        select s.judge_id, s.kind, s.stage, s.outcome, bool_and(
            case when c.stage = 'panel' then c.outcome = s.outcome
                 when s.stage in ('review', 'peer', 'panel') or s.outcome in ('right', 'pass') then c.outcome = 'right'
                 else c.outcome = 'wrong' end) filter (where c.id is not null) as upheld
        from verdicts s left join verdicts c on c.item_id = s.item_id
            and (c.stage in ('inspection', 'spot_check') or s.stage = 'panel' and c.stage = 'panel')
            and c.judge_id <> s.judge_id and c.revision_no = s.revision_no + (s.outcome = 'correct')::int
            and s.outcome not in ('return', 'edit')
        where %(only)s::bigint is null or s.judge_id = %(only)s
        group by s.id, s.judge_id, s.kind, s.stage, s.outcome)
    select judge_id, kind, stage, outcome, count(*), count(upheld), count(*) filter (where upheld)
    from checks group by 1, 2, 3, 4 order by 4
"""  # noqa: S608  (constants of this module; values are parameters)
# The verdicts of several people on one revision, in order, counted by package.
COLLEAGUES = f"""
    with {_DECIDED},
    units as (
        select kind, stage, package_id,
               array_agg(case when outcome in ('accept', 'right') then 'right' else 'wrong' end order by id) as ratings
        from verdicts where package_id is not null
        group by kind, stage, package_id, item_id, revision_no, round having count(*) > 1)
    select kind, stage || '-' || stage, package_id, ratings, count(*) from units group by 1, 2, 3, 4
"""  # noqa: S608  (constants of this module; values are parameters)
# The verdicts of a panel on one revision, in the order of its rounds, counted by picture.
PANELS = f"""
    with {_DECIDED},
    units as (
        select s.kind, i.image_id,
               array_agg(case s.outcome when 'pass' then 'right' else 'wrong' end order by s.round) as ratings
        from verdicts s join annotation_item i on i.id = s.item_id
        where s.stage = 'panel' group by s.kind, i.image_id, s.item_id, s.revision_no having count(*) > 1)
    select kind, 'panel-panel', image_id, ratings, count(*) from units group by 1, 2, 3, 4
"""  # noqa: S608  (constants of this module; values are parameters)
ROUNDS = f"""
    with {_DECIDED}
    select kind, round, count(*), count(*) filter (where outcome = 'pass')
    from verdicts where stage in ('panel', 'clicks')
    group by 1, 2 order by 1, 2
"""  # noqa: S608  (constants of this module; values are parameters)
STAGES = f"""
    with {_DECIDED},
    units as (
        select kind, package_id, item_id, revision_no,
               bool_and(outcome = 'accept') filter (where stage = 'review') as review,
               bool_and(outcome = 'right') filter (where stage = 'inspection') as inspection
        from verdicts where package_id is not null group by 1, 2, 3, 4)
    select kind, 'review-inspection', package_id,
           array[case when review then 'right' else 'wrong' end, case when inspection then 'right' else 'wrong' end],
           count(*)
    from units where review is not null and inspection is not null group by 1, 2, 3, 4
"""  # noqa: S608  (constants of this module; values are parameters)
