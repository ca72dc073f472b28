"""Scores of retrieval become reports as those of questions are; they are copied and compared before their tables go."""

import json
from collections import defaultdict
from importlib import import_module

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

before = import_module("evaluation.migrations.0019_retrieval_over_sets")

# Each scoring, and each group of scores from before there were scorings.
SCORINGS = """
    select s.id, s.run_id, s.release_id, s.profile, s.gallery_digest, s.computed_at from evaluation_scoring s
     union all
    select distinct null::bigint, c.run_id, c.release_id, c.profile, c.gallery_digest, c.computed_at
      from evaluation_score c where c.scoring_id is null
     order by id nulls first, computed_at, run_id
"""
# Releases had no sets when runs over accepted work were scored on them.
SETS = """
    drop table if exists moved_set, moved_revision, moved_caption, moved_picture;
    create temporary table moved_revision (benchmark_id bigint, suite text, item_id bigint, revision_no int)
        on commit drop;
    insert into evaluation_itemset (benchmark_id, origin, release_id, suite, name, files, state, sides, size, digest)
    select distinct r.benchmark_id, 'release', l.id, r.suite, l.label, '{}'::jsonb, 'waiting', '{}'::varchar[], 0, ''
      from (select run_id, release_id from evaluation_scoring
             union select run_id, release_id from evaluation_score) s
      join evaluation_run r on r.id = s.run_id join annotation_release l on l.id = s.release_id
    on conflict (release_id, suite) do nothing;
    create temporary table moved_set on commit drop as
    select distinct t.id, t.benchmark_id, t.suite, t.release_id, t.origin
      from (select run_id, release_id from evaluation_scoring
             union select run_id, release_id from evaluation_score) s
      join evaluation_run r on r.id = s.run_id
      join evaluation_itemset t on t.release_id = s.release_id and t.suite = r.suite
     where t.state = 'waiting';
    update evaluation_itemset t set sides = '{content}' from moved_set m where m.id = t.id;
"""
SCORES = """
    select scope, group_by, "group", metric, value, low, high, n_expected, n_scored, n_missing, n_failed, details
      from evaluation_score
     where scoring_id = %(scoring)s
        or (%(scoring)s is null and scoring_id is null and run_id = %(run)s and release_id = %(release)s
            and profile = %(profile)s and gallery_digest = %(digest)s and computed_at = %(at)s)
     order by id
"""
REPORT = """
    insert into evaluation_setreport (run_id, set_id, profile, entries_digest, report, overrides, computed_at)
    select %(run)s, t.id, %(profile)s, %(digest)s, %(report)s::jsonb, 0, %(at)s
      from evaluation_run r join evaluation_itemset t on t.release_id = %(release)s and t.suite = r.suite
     where r.id = %(run)s returning id, report
"""
# A picture's query is at the first text of the item that it was listed with. Whether a query without a rank is missing
# or failed was not stored: the counts of its direction say which, and where both occurred it is missing.
RESULTS = """
    insert into evaluation_entryresult (report_id, no, scope, entry_id, outcome, value, extracted, rule, rank)
    select %(report)s, q.ordinal, q.scope, e.id,
           case when q.rank = 0 then 'right' when q.rank > 0 then 'wrong'
                when q.scope = any(%(failed)s) then 'failed' else 'missing' end,
           (q.rank = 0)::int, case when q.rank is not null then q.nearest end, '', q.rank
      from evaluation_queryrank q
      join evaluation_setreport p on p.id = %(report)s
      join evaluation_entry e on e.set_id = p.set_id and e.item_id = q.item_id
       and e.part = case when q.scope = 'i2t' then 0 else substr(q.variant, 9)::int end
     where q.scoring_id = %(scoring)s
"""
COMPARED = """
    select (select count(*) from evaluation_queryrank q where q.scoring_id = %(scoring)s), count(*)
      from evaluation_queryrank q
      join evaluation_entryresult r on r.report_id = %(report)s and r.no = q.ordinal and r.scope = q.scope
      join evaluation_entry e on e.id = r.entry_id
     where q.scoring_id = %(scoring)s and r.rank is not distinct from q.rank
       and coalesce(r.extracted, '[]') = q.nearest and e.item_id = q.item_id and e.image_id = q.image_id
       and q.variant = case when r.scope = 'i2t' then 'image' else 'caption-' || e.part end
"""
# A run is scored by one job, whatever it answers. Runs over accepted work are scored on no release any longer.
JOBS = """
    update curation_job j
       set task = 'evaluation.score_set_run', dedupe_key = 'score-set:' || r.id,
           args = jsonb_build_object('run_id', r.id)
      from evaluation_run r join evaluation_itemset t on t.id = r.set_id
     where j.task = 'evaluation.score_release' and r.id = (j.args ->> 'run_id')::bigint
       and t.release_id = (j.args ->> 'release_id')::bigint;
    update curation_job set state = 'done', lease_until = null
     where task = 'evaluation.score_release' and state in ('queued', 'running');
"""
# --- Reports ----------------------------------------------------------------------------------------------------------

# What all figures of a report have in common, by the part of the report that has it.
COMMON = {"gallery": ("images", "texts", "split", "cluster"), "interval": ("seed", "resamples")}
COUNTS = ("n_expected", "n_scored", "n_missing", "n_failed")


def report_of(profile, rows):
    """Write scores as a report; see ``evaluation.scoring.rules.documents``."""
    common = rows[0]["details"] if rows else {}
    wholes = {row["scope"]: row for row in rows if not row["group_by"]}.values()
    parts = {part: {name: common[name] for name in names if name in common} for part, names in COMMON.items()}
    breakdowns = {}
    for row in rows:
        if row["group_by"]:
            group = breakdowns.setdefault(row["group_by"], {}).setdefault(row["group"], {"n": 0, "metrics": {}})
            group["metrics"][f"{row['scope']} {row['metric']}"] = figure(row)
    for group in (group for groups in breakdowns.values() for group in groups.values()):
        group["n"] = sum({name.split()[0]: one["n_expected"] for name, one in group["metrics"].items()}.values())
    counts = {name: sum(row[name] for row in wholes) for name in COUNTS}
    return {
        "profile": profile,
        "source": "CVLUE section 5, from vectors: a tie counts against the system",
        **counts,
        **dict.fromkeys(("n_unparsable", "n_refused", "n_unknown_ids", "n_duplicate"), 0),
        "n_gold_rows": counts["n_expected"],
        "metrics": {f"{row['scope']} {row['metric']}": figure(row) for row in rows if not row["group_by"]},
        "breakdowns": breakdowns,
        "gallery": parts["gallery"],
        "interval": {"method": "each figure names its own, over pictures", **parts["interval"]},
    }


def figure(row):
    own = {name: value for name, value in row["details"].items() if not any(name in of for of in COMMON.values())}
    counts = {"n": row["n_scored"], **{name: row[name] for name in COUNTS if name != "n_scored"}}
    return {"value": row["value"], "low": row["low"], "high": row["high"], **counts, **own}


def rows_in(report):
    """List the scores in a report by scope, grouping, group and metric."""
    common = {name: report[part][name] for part, names in COMMON.items() for name in names if name in report[part]}
    groupings = [("", "", report["metrics"])]
    groupings += [
        (by, group, of["metrics"]) for by, groups in report["breakdowns"].items() for group, of in groups.items()
    ]
    rows = {}
    for by, group, metrics in groupings:
        for name, one in metrics.items():
            scope, metric = name.split(" ", 1)
            of_figure = ("value", "low", "high", "n", *COUNTS)
            details = common | {part: value for part, value in one.items() if part not in of_figure}
            counts = {count: one["n" if count == "n_scored" else count] for count in COUNTS}
            ends = {end: one[end] for end in ("value", "low", "high")}
            rows[scope, by, group, metric] = {**ends, **counts, "details": details}
    return rows


# --- Copying ----------------------------------------------------------------------------------------------------------


def copy(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "alter table evaluation_setreport disable trigger user;"
            " update evaluation_setreport p set set_id = r.set_id from evaluation_run r where r.id = p.run_id;"
            " alter table evaluation_setreport enable trigger user;"
        )
        cursor.execute(SETS)
        cursor.execute(before.ENTRIES)
        before.write_digests(cursor)
        cursor.execute(before.SIZES)
        cursor.execute("analyze evaluation_entry, evaluation_queryrank")
        cursor.execute(SCORINGS)
        for scoring in cursor.fetchall():
            move(cursor, scoring)
        cursor.execute(JOBS)
        # The tables are altered below, which no check may wait for.
        cursor.execute("set constraints all immediate")


def move(cursor, scoring):
    """Make a report of a scoring, and compare.

    Raises:
        RuntimeError: They differ; nothing is changed then.
    """
    names = ("scoring", "run", "release", "profile", "digest", "at")
    values = dict(zip(names, scoring, strict=True))
    cursor.execute(SCORES, values)
    columns = [column.name for column in cursor.description]
    rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        row["details"] = json.loads(row["details"]) if isinstance(row["details"], str) else row["details"]
    cursor.execute(REPORT, {**values, "report": json.dumps(report_of(values["profile"], rows), ensure_ascii=False)})
    report_id, report = cursor.fetchone()
    report = json.loads(report) if isinstance(report, str) else report
    cursor.execute("insert into evaluation_reportunits (report_id, rights) values (%s, '{}')", [report_id])
    copied = rows_in(report)
    equal = 0
    for row in rows:
        key = tuple(row[name] for name in ("scope", "group_by", "group", "metric"))
        equal += copied.get(key) == {name: value for name, value in row.items() if name not in columns[:4]}
    compare(values, "figures", len(rows), equal if len(copied) == len(rows) else len(copied))
    counts = defaultdict(int)
    for row in rows:
        if not row["group_by"]:
            counts[row["scope"]] = row["n_missing"]
    cursor.execute(
        RESULTS, {"report": report_id, "scoring": values["scoring"], "failed": [s for s, n in counts.items() if not n]}
    )
    cursor.execute(COMPARED, {"report": report_id, "scoring": values["scoring"]})
    compare(values, "queries", *cursor.fetchone())


def compare(values, what, had, now):
    if had != now:
        raise RuntimeError(
            f"The scores of run {values['run']} on release {values['release']} from {values['at']:%Y-%m-%d %H:%M} had"
            f" {had} {what}, of which {now} were copied without a difference. Nothing was changed. Please report this,"
            " and keep the earlier version running meanwhile."
        )


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0019_retrieval_over_sets")]

    operations = [
        migrations.AddField(model_name="entryresult", name="rank", field=models.PositiveIntegerField(null=True)),
        migrations.AddField(
            model_name="entryresult",
            name="scope",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.RunSQL(
            "alter table evaluation_entryresult drop constraint evaluation_entryresult_pkey,"
            " add primary key (report_id, no, scope);",
            state_operations=[
                migrations.AlterField(
                    model_name="entryresult",
                    name="pk",
                    field=models.CompositePrimaryKey(
                        "report_id", "no", "scope", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                )
            ],
        ),
        migrations.AddField(
            model_name="setreport",
            name="set",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reports",
                to="evaluation.itemset",
            ),
        ),
        migrations.RunPython(copy),
        migrations.AlterField(
            model_name="setreport",
            name="set",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="evaluation.itemset"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="setreport",
            trigger=pgtrigger.compiler.Trigger(
                name="public",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if not exists (select from evaluation_itemset s where s.id = new.set_id and s.release_id is not null) then return null; end if; insert into annotation_tally (of, benchmark_id, state, n) values ('public', (select r.benchmark_id from evaluation_run r where r.id = new.run_id), '', 1); return null;",
                    hash="3689b43a2417282bd1965bfa9acd1b31732d856f",
                    operation="INSERT",
                    pgid="pgtrigger_public_75b9a",
                    table="evaluation_setreport",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="setreport",
            trigger=pgtrigger.compiler.Trigger(
                name="of_run",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."set_id" IS NULL)',
                    func="new.set_id := (select r.set_id from evaluation_run r where r.id = new.run_id); return new;",
                    hash="40be8613aec935c568de77e9bb6e62001bd10392",
                    operation="INSERT",
                    pgid="pgtrigger_of_run_d9c16",
                    table="evaluation_setreport",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.DeleteModel(name="QueryRank"),
        migrations.DeleteModel(name="Score"),
        migrations.DeleteModel(name="Scoring"),
    ]
