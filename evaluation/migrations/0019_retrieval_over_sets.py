"""Runs of retrieval become runs over item sets; what they answered is copied and compared before its tables go."""

import hashlib
import json

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# --- What is moved ----------------------------------------------------------------------------------------------------

# Each run without a set, and the benchmark or release whose captions it covers.
RUNS = """
    create temporary table moved_run on commit drop as
    select id, benchmark_id, system_id, suite, release_id, state, round from evaluation_run where set_id is null;
    create temporary table moved_revision on commit drop as
    select distinct r.benchmark_id, r.suite, x.item_id, x.revision_no
      from moved_run r cross join lateral (
           select item_id, revision_no from evaluation_prediction where run_id = r.id
           union all select item_id, revision_no from evaluation_failure where run_id = r.id
           union all select (e ->> 0)::bigint, (e ->> 1)::int from evaluation_chunk c
             cross join lateral jsonb_array_elements(c.entries) e where c.run_id = r.id) x
     where r.release_id is null;
    insert into evaluation_itemset (benchmark_id, origin, release_id, suite, name, files, state, sides, size, digest)
    select distinct r.benchmark_id, case when l.id is null then 'rolling' else 'release' end, l.id, r.suite,
           coalesce(l.label, ''), '{}'::jsonb, 'waiting', '{content}'::varchar[], 0, ''
      from moved_run r left join annotation_release l on l.id = r.release_id;
    create temporary table moved_set on commit drop as
    select distinct s.id, s.benchmark_id, s.suite, s.release_id, s.origin
      from moved_run r join evaluation_itemset s
        on s.suite = r.suite and s.benchmark_id = r.benchmark_id and s.release_id is not distinct from r.release_id
       and s.origin <> 'file';
    alter table moved_run add set_id bigint;
    update moved_run r set set_id = s.id from moved_set s
     where s.suite = r.suite and s.benchmark_id = r.benchmark_id and s.release_id is not distinct from r.release_id;
"""
# The revisions of each set: of a release those of its test split, of accepted work whatever a run had to do with.
ENTRIES = """
    create temporary table moved_caption on commit drop as
    select w.set_id, w.item_id, w.item_no, w.revision_no, w.image_id, w.image_no, w.file, w.version, w.ended, w.place,
           w.category, w.distance, t.part::int - 1 as part, t.text, length(v.content::text) as length
      from (
           select s.id as set_id, e.item_id, i.number as item_no, e.revision_no, p.id as image_id, p.number as image_no,
                  f.sha256 as file, f.version, false as ended, e.ordinal::bigint as place,
                  coalesce(e.record ->> 'category', now.slug, '') as category,
                  coalesce(e.record ->> 'distance', c.distance, '') as distance
             from moved_set s
             join annotation_releaseentry e on e.release_id = s.release_id and e.kind = 'captions' and e.split = 'test'
             join annotation_item i on i.id = e.item_id
             join curation_rendition f on f.id = e.rendition_id
             join curation_image p on p.id = e.image_id
             left join curation_category now on now.id = p.category_id
             left join curation_category c on c.benchmark_id = p.benchmark_id
                                          and c.slug = coalesce(e.record ->> 'category', now.slug)
           union all
           select s.id, i.id, i.number, m.revision_no, p.id, p.number, coalesce(f.sha256, ''), p.redaction_no + 1,
                  not (i.state = 'accepted' and i.copy_no = 0 and i.accepted_no = m.revision_no), i.id,
                  coalesce(c.slug, ''), coalesce(c.distance, '')
             from moved_revision m
             join moved_set s on s.benchmark_id = m.benchmark_id and s.suite = m.suite and s.origin = 'rolling'
             join annotation_item i on i.id = m.item_id
             join curation_image p on p.id = i.image_id
             left join curation_rendition f on f.image_id = p.id and f.role = 'clean' and f.version = p.redaction_no + 1
             left join curation_category c on c.id = p.category_id) w
      join annotation_itemrevision v on v.item_id = w.item_id and v.no = w.revision_no
     cross join lateral jsonb_array_elements_text(v.content -> 'captions') with ordinality t (text, part);
    create temporary table moved_picture on commit drop as
    select distinct on (set_id, image_id) set_id, image_id, length, item_id from moved_caption
     order by set_id, image_id, length, item_id;
    insert into evaluation_entry
           (set_id, no, key, line, item_id, revision_no, part, image_id, cluster, texts, gold, row, tags, ended_at)
    select c.set_id, row_number() over in_order,
           'cap-' || lpad(c.item_no::text, greatest(6, length(c.item_no::text)), '0') || '-' || c.part,
           case when s.origin = 'release'
                then row_number() over (partition by c.set_id order by c.place, c.revision_no, c.part)
                else row_number() over in_order end,
           c.item_id, c.revision_no, c.part, c.image_id, n.name,
           jsonb_build_object('content', jsonb_build_object('picture', n.name, 'type', '', 'options', '[]'::jsonb,
                              'names', '[]'::jsonb, 'values', jsonb_build_object('text', c.text))),
           jsonb_build_array(n.name), jsonb_build_object('file', c.file, 'version', c.version),
           jsonb_strip_nulls(jsonb_build_object(
               'category', nullif(c.category, ''), 'distance', nullif(c.distance, ''))),
           case when c.ended then now() end
      from moved_caption c
      join moved_set s on s.id = c.set_id
      join moved_picture p on p.set_id = c.set_id and p.image_id = c.image_id
     cross join lateral (select 'img-' || lpad(c.image_no::text, greatest(4, length(c.image_no::text)), '0')) n (name)
    window in_order as (partition by c.set_id order by p.length, p.item_id, c.place, c.item_id, c.revision_no, c.part);
"""
# --- Answers ----------------------------------------------------------------------------------------------------------

# Each vector with the digest of its input, and the preparation of an equal vector that is kept for later runs. One that
# is not kept, or differs from the kept one in its last digits, is kept from now on under a preparation of its own.
VECTORS = """
    create temporary table moved_vector on commit drop as
    select p.run_id, r.system_id, p.item_id, p.revision_no, p.variant, d.sha256, f.preparation, p.created_at
      from evaluation_prediction p
      join moved_run r on r.id = p.run_id
      join annotation_item i on i.id = p.item_id
      join annotation_itemrevision v on v.item_id = p.item_id and v.no = p.revision_no
     cross join lateral (
           select case when p.variant = 'image' then coalesce(
                  (select n.sha256 from curation_rendition n where n.id = (p.value ->> 'rendition')::bigint),
                  (select n.sha256 from curation_rendition n join curation_image m on m.id = n.image_id
                    where m.id = i.image_id and n.role = 'clean' and n.version = m.redaction_no + 1))
                  when p.variant like 'caption-%' then
                  (select encode(sha256(convert_to(t.text, 'UTF8')), 'hex')
                     from jsonb_array_elements_text(v.content -> 'captions') with ordinality t (text, part)
                    where p.variant = 'caption-' || t.part - 1) end as sha256) d
      left join lateral (
           select f.preparation from evaluation_feature f
            where f.system_id = r.system_id and f.input_sha256 = d.sha256 and f.vector = p.vector
            order by f.created_at, f.preparation limit 1) f on true
     where p.vector is not null and d.sha256 is not null;
    create unique index moved_vector_key on moved_vector (run_id, item_id, revision_no, variant);
    update moved_vector m
       set preparation = encode(sha256(convert_to('run ' || m.run_id || ' ', 'UTF8') || p.vector), 'hex')
      from evaluation_prediction p
     where m.preparation is null and p.run_id = m.run_id and p.item_id = m.item_id and p.revision_no = m.revision_no
       and p.variant = m.variant;
    insert into evaluation_feature (system_id, input_sha256, preparation, vector, created_at)
    select m.system_id, m.sha256, m.preparation, p.vector, m.created_at
      from moved_vector m join evaluation_prediction p
        on p.run_id = m.run_id and p.item_id = m.item_id and p.revision_no = m.revision_no and p.variant = m.variant
    on conflict do nothing;
    analyze moved_vector, evaluation_entry, evaluation_feature;
"""
# A caption with two vectors is answered. Of one without, each round with a failure has one, of the picture before the
# text. What is left of an answer after its picture's vector was erased has failed, unless the run goes on.
ANSWERS = """
    create temporary table moved_answer on commit drop as
    select r.id as run_id, r.round, r.state, e.id as entry_id, e.no, e.item_id, e.revision_no,
           'caption-' || e.part as variant,
           case when x.sha256 is null then '{}'::jsonb else
                jsonb_build_object('text', jsonb_build_array(x.sha256, x.preparation)) end
           || case when p.sha256 is null then '{}'::jsonb else
                jsonb_build_object('picture', jsonb_build_array(p.sha256, p.preparation)) end as value,
           greatest(x.created_at, p.created_at) as created_at
      from moved_run r
      join evaluation_entry e on e.set_id = r.set_id
      left join moved_vector x on x.run_id = r.id and x.item_id = e.item_id and x.revision_no = e.revision_no
                              and x.variant = 'caption-' || e.part
      left join moved_vector p on p.run_id = r.id and p.item_id = e.item_id and p.revision_no = e.revision_no
                              and p.variant = 'image';
    insert into evaluation_reply (run_id, entry_id, variant, sample, outcome, raw, value, created_at)
    select run_id, entry_id, 0, 0, 'answered', '', value, created_at from moved_answer
     where value ? 'text' and value ? 'picture';
    insert into evaluation_replyfailure
           (run_id, entry_id, variant, sample, round, code, input, message, value, created_at)
    select distinct on (a.run_id, a.entry_id, f.round) a.run_id, a.entry_id, 0, 0, f.round, f.code,
           case when f.variant = 'image' then 'picture' else 'text' end, f.message, a.value, f.created_at
      from moved_answer a
      join evaluation_failure f on f.run_id = a.run_id and f.item_id = a.item_id and f.revision_no = a.revision_no
                               and f.variant in ('image', a.variant)
     order by a.run_id, a.entry_id, f.round, f.variant <> 'image';
    insert into evaluation_replyfailure
           (run_id, entry_id, variant, sample, round, code, input, message, value, created_at)
    select a.run_id, a.entry_id, 0, 0, a.round, 'picture_altered', 'picture', '', a.value, a.created_at
      from moved_answer a
     where a.state not in ('open', 'paused') and a.value ? 'text' and not a.value ? 'picture'
       and not exists (select 1 from evaluation_replyfailure f where f.run_id = a.run_id and f.entry_id = a.entry_id);
    -- Pictures that wait to be looked at again are sent to nobody; their captions come back once they are ticked.
    update evaluation_entry e set ended_at = now() from moved_set s, curation_image m
     where s.id = e.set_id and s.origin = 'rolling' and e.ended_at is null and m.id = e.image_id
       and m.pii_clear_by_id is null and m.shared_at is null
       and not exists (select 1 from evaluation_reply p where p.entry_id = e.id);
"""
# --- Work -------------------------------------------------------------------------------------------------------------

CHUNKS = """
    update evaluation_chunk c set entries = n.nos, size = jsonb_array_length(n.nos)
      from moved_run r, evaluation_chunk o cross join lateral (
           select coalesce(jsonb_agg(e.no order by e.no), '[]'::jsonb) as nos
             from jsonb_array_elements(o.entries) x join evaluation_entry e
               on e.item_id = (x ->> 0)::bigint and e.revision_no = (x ->> 1)::int
             join moved_run q on q.id = o.run_id and q.set_id = e.set_id) n
     where o.id = c.id and c.run_id = r.id;
"""
# A set is ready, or has nothing to ask.
SIZES = """
    update evaluation_itemset s
       set size = n.size, state = case when n.size > 0 or s.origin = 'rolling' then 'ready' else 'refused' end,
           sides = case when n.size > 0 or s.origin = 'rolling' then s.sides else '{}' end,
           fault = case when n.size > 0 or s.origin = 'rolling' then null else
                   '{"code": "nothing_to_ask", "file": "", "line": 0, "field": "", "expected": "captions",
                     "params": {}}'::jsonb end
      from (select m.id, count(e.id) as size from moved_set m left join evaluation_entry e on e.set_id = m.id
             group by m.id) n
     where n.id = s.id;
"""
WAITING = """
    create temporary table moved_waiting on commit drop as
    select distinct c.run_id, n::int as no from evaluation_chunk c
      join moved_run r on r.id = c.run_id cross join lateral jsonb_array_elements(c.entries) n where c.state <> 'done';
    analyze moved_waiting, moved_answer, evaluation_reply, evaluation_replyfailure;
"""
# Entries that an open run has not answered and that are in none of its chunks, by number.
LEFT = """
    select a.run_id, a.no, e.image_id from moved_answer a join evaluation_entry e on e.id = a.entry_id
     where a.state in ('open', 'paused') and e.ended_at is null
       and not exists (select 1 from evaluation_reply p where p.run_id = a.run_id and p.entry_id = a.entry_id)
       and not exists (select 1 from evaluation_replyfailure f where f.run_id = a.run_id and f.entry_id = a.entry_id)
       and not exists (select 1 from moved_waiting w where w.run_id = a.run_id and w.no = a.no)
     order by a.run_id, a.no
"""
COUNTS = """
    update evaluation_run r
       set set_id = m.set_id, cut_to = s.size, expected = n.expected, answered = n.answered, failed = n.failed
      from moved_run m
      join evaluation_itemset s on s.id = m.set_id
     cross join lateral (
           select count(p.entry_id) as answered,
                  count(*) filter (where p.entry_id is null and f.entry_id is not null) as failed,
                  count(*) filter (where coalesce(p.entry_id, f.entry_id, w.no) is not null) as expected
             from moved_answer a
             left join evaluation_reply p on p.run_id = a.run_id and p.entry_id = a.entry_id
             left join (select distinct run_id, entry_id from evaluation_replyfailure) f
               on f.run_id = a.run_id and f.entry_id = a.entry_id
             left join moved_waiting w on w.run_id = a.run_id and w.no = a.no
            where a.run_id = m.id) n
     where m.id = r.id
"""
# --- Comparison -------------------------------------------------------------------------------------------------------

# What each run had, and what it has now: vectors; vectors of the texts and of the pictures of its set; revisions with
# a failure that no later round resolved. What an open run will answer again is left out.
COMPARED = """
    with stored as (
         select a.run_id, a.item_id, a.revision_no, a.variant, coalesce(p.value, f.value) as value,
                p.value is null and f.value is not null as has_failed
           from moved_answer a
           left join evaluation_reply p on p.run_id = a.run_id and p.entry_id = a.entry_id
           left join lateral (select value from evaluation_replyfailure f where f.run_id = a.run_id
                                 and f.entry_id = a.entry_id order by round desc limit 1) f on true),
    before as (
         select p.run_id, p.item_id, p.revision_no, p.variant, p.vector
           from evaluation_prediction p join moved_run r on r.id = p.run_id
          where exists (select 1 from evaluation_entry e where e.set_id = r.set_id and e.item_id = p.item_id
                           and e.revision_no = p.revision_no)
            and (r.state not in ('open', 'paused') or exists (
                 select 1 from evaluation_prediction i where i.run_id = p.run_id and i.item_id = p.item_id
                    and i.revision_no = p.revision_no and i.variant = 'image'
                  union all
                 select 1 from evaluation_failure i where i.run_id = p.run_id and i.item_id = p.item_id
                    and i.revision_no = p.revision_no and i.variant = 'image')))
    select r.id,
           (select count(*) from evaluation_prediction p where p.run_id = r.id),
           (select count(*) from moved_vector m join evaluation_prediction p on p.run_id = m.run_id
               and p.item_id = m.item_id and p.revision_no = m.revision_no and p.variant = m.variant
              join evaluation_feature f on f.system_id = m.system_id and f.input_sha256 = m.sha256
               and f.preparation = m.preparation and f.vector = p.vector where m.run_id = r.id),
           (select count(*) from before b where b.run_id = r.id and b.variant <> 'image'),
           (select count(*) from stored t join before b on b.run_id = t.run_id and b.item_id = t.item_id
               and b.revision_no = t.revision_no and b.variant = t.variant
              join evaluation_feature f on f.system_id = r.system_id and f.input_sha256 = t.value #>> '{text,0}'
               and f.preparation = t.value #>> '{text,1}' and f.vector = b.vector where t.run_id = r.id),
           (select count(*) from before b where b.run_id = r.id and b.variant = 'image'),
           (select count(distinct (t.item_id, t.revision_no)) from stored t
              join before b on b.run_id = t.run_id and b.item_id = t.item_id
               and b.revision_no = t.revision_no and b.variant = 'image'
              join evaluation_feature f on f.system_id = r.system_id and f.input_sha256 = t.value #>> '{picture,0}'
               and f.preparation = t.value #>> '{picture,1}' and f.vector = b.vector where t.run_id = r.id),
           (select count(distinct (f.item_id, f.revision_no)) from evaluation_failure f
             where f.run_id = r.id and not exists (
                   select 1 from evaluation_prediction p where p.run_id = f.run_id and p.item_id = f.item_id
                      and p.revision_no = f.revision_no and p.variant = f.variant)
               and exists (select 1 from evaluation_entry e where e.set_id = r.set_id and e.item_id = f.item_id
                              and e.revision_no = f.revision_no)),
           (select count(distinct (t.item_id, t.revision_no)) from stored t
              join evaluation_failure f on f.run_id = t.run_id and f.item_id = t.item_id
               and f.revision_no = t.revision_no where t.run_id = r.id and t.has_failed)
      from moved_run r order by r.id
"""
WHAT = ("vectors", "vectors of texts", "vectors of pictures", "revisions with a failure")
# --- Erasing ----------------------------------------------------------------------------------------------------------

# The application's role cannot delete from these tables; the function runs as their owner, for destroyed files only.
# An answer that names the vector has failed, so that it can be tried again with the picture's new file. Of accepted
# work it ends with its caption, which then gets another entry.
ERASE = """
    create or replace function erase_vectors(destroyed bigint) returns integer
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
        digest text;
        features integer;
    begin
        if not exists (select from curation_destruction where rendition_id = destroyed) then
            raise exception using errcode = 'restrict_violation', message = 'this file is not destroyed';
        end if;
        select sha256 into digest from curation_rendition where id = destroyed;
        perform set_config('pgtrigger.ignore', (
            select array_agg(tgname)::text from pg_trigger
            where tgrelid in ('evaluation_feature'::regclass, 'evaluation_reply'::regclass)
              and tgname like 'pgtrigger\\_append\\_only\\_%'), true);
        -- An equal file of another picture, perhaps of another benchmark, keeps the vector.
        delete from evaluation_feature where input_sha256 = digest and not exists (
            select from curation_rendition o where o.sha256 = digest and not exists (
                select from curation_destruction d where d.rendition_id = o.id));
        get diagnostics features = row_count;
        with gone as (
            delete from evaluation_reply p using evaluation_entry e, curation_rendition f
            where e.id = p.entry_id and f.id = destroyed and e.image_id = f.image_id
              and p.value #>> '{picture,0}' = digest
            returning p.run_id, p.entry_id, p.variant, p.sample, p.value),
        failed as (
            insert into evaluation_replyfailure
                   (run_id, entry_id, variant, sample, round, code, input, message, value, created_at)
            select g.run_id, g.entry_id, g.variant, g.sample, r.round, 'picture_altered', 'picture', '',
                   g.value - 'picture', now()
              from gone g join evaluation_run r on r.id = g.run_id join evaluation_itemset s on s.id = r.set_id
             where s.origin <> 'rolling'
            on conflict do nothing returning run_id)
        update evaluation_run r set answered = r.answered - n.n, failed = r.failed + n.n
          from (select run_id, count(*) as n from failed group by run_id) n where n.run_id = r.id;
        perform set_config('pgtrigger.ignore', '{}', true);
        return features;
    end $$;
"""


def canonical_json(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def copy(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for statements in (RUNS, ENTRIES):
            cursor.execute(statements)
        write_digests(cursor)
        for statements in (VECTORS, ANSWERS, CHUNKS, SIZES, WAITING):
            cursor.execute(statements)
        cut_what_is_left(cursor)
        cursor.execute("drop table moved_waiting")
        cursor.execute(WAITING)
        cursor.execute(COUNTS)
        complete_settings(cursor)
        compare(cursor)
        # The tables are altered below, which no check may wait for.
        cursor.execute("set constraints all immediate")


def cut_what_is_left(cursor):
    """Cut into new chunks what no chunk has, without splitting a picture."""
    cursor.execute(LEFT)
    chunks = []
    run_id, image_id, pictures = None, None, 0
    for run, no, image in cursor.fetchall():
        if run != run_id or (image != image_id and pictures == settings.EMBED_ITEMS_AT_ONCE):
            chunks.append((run, []))
            pictures = 0
        pictures += (run, image) != (run_id, image_id) or not chunks[-1][1]
        chunks[-1][1].append(no)
        run_id, image_id = run, image
    for run, nos in chunks:
        cursor.execute(
            "insert into evaluation_chunk (run_id, no, round, entries, size, state, attempt, worker, error_code,"
            " error_params, log)"
            " select %s, coalesce(max(no), 0) + 1, 0, to_jsonb(%s::int[]), %s, 'queued', 0, '', '', '{}'::jsonb, ''"
            " from evaluation_chunk where run_id = %s",
            [run, nos, len(nos), run],
        )


def complete_settings(cursor):
    """Write the settings of runs as those of runs over sets are."""
    cursor.execute(
        "select r.id, r.suite, r.settings ->> 'preprocessing' from evaluation_run r join moved_run using (id)"
    )
    for run_id, suite, preprocessing in cursor.fetchall():
        complete = {
            "suite": suite, "setting": "both", "means": "similarity", "side": "content", "language": "zh-Hans",
            "prompts": {}, "decodings": {}, "ranked": ["names", False], "picture": ["1", "Lanczos"],
            "preprocessing": json.loads(preprocessing or "{}"),
        }  # fmt: skip
        digest = hashlib.sha256(canonical_json(complete)).hexdigest()
        cursor.execute(
            "update evaluation_run set settings = %s, settings_sha256 = %s where id = %s",
            [json.dumps(complete), digest, run_id],
        )


def write_digests(cursor):
    """Write the digests of releases' sets, which are over all their entries."""
    cursor.execute(
        "select s.id, k.digest from moved_set s join annotation_releasekind k"
        " on k.release_id = s.release_id and k.kind = 'captions'"
        " where exists (select from evaluation_entry e where e.set_id = s.id)"
    )
    for set_id, of_kind in cursor.fetchall():
        digest = hashlib.sha256(of_kind.encode())
        cursor.execute(
            "select key, texts::text, row ->> 'file' from evaluation_entry where set_id = %s order by no", [set_id]
        )
        for key, texts, file in cursor.fetchall():
            digest.update(canonical_json((key, json.loads(texts), file)))
        cursor.execute("update evaluation_itemset set digest = %s where id = %s", [digest.hexdigest(), set_id])


def compare(cursor):
    """Compare what was copied with what there was.

    Raises:
        RuntimeError: They differ; nothing is changed then.
    """
    cursor.execute(COMPARED)
    for run_id, *counts in cursor.fetchall():
        for what, before, now in zip(WHAT, counts[::2], counts[1::2], strict=True):
            if before != now:
                raise RuntimeError(
                    f"Run {run_id} had {before} {what}, of which {now} were copied without a difference. Nothing was"
                    " changed. Please report this, and keep the earlier version running meanwhile."
                )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0032_verdicts_name_versions"),
        ("curation", "0030_board_decisions"),
        ("evaluation", "0018_what_replies_cost"),
    ]

    operations = [
        migrations.AddField(
            model_name="replyfailure",
            name="input",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddField(
            model_name="replyfailure",
            name="message",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="replyfailure",
            name="value",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddConstraint(
            model_name="replyfailure",
            constraint=models.CheckConstraint(
                condition=models.Q(("input__in", ["", "picture", "text"])), name="replyfailure_input"
            ),
        ),
        migrations.RemoveConstraint(model_name="run", name="run_one_at_a_release"),
        migrations.RemoveConstraint(model_name="run", name="run_one_rolling"),
        migrations.RemoveConstraint(model_name="run", name="run_one_at_a_set"),
        migrations.RemoveConstraint(model_name="run", name="run_over_one_thing"),
        migrations.RunPython(copy),
        migrations.RunSQL(ERASE),
        migrations.RemoveField(model_name="run", name="release"),
        migrations.AlterField(
            model_name="run",
            name="set",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="evaluation.itemset"
            ),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["open", "paused"])),
                fields=("system", "set", "settings_sha256"),
                name="run_one_at_a_set",
            ),
        ),
        migrations.DeleteModel(name="Failure"),
        migrations.DeleteModel(name="Prediction"),
    ]
