"""Who has seen pictures before exposures were recorded: who contributed, wrote, packed, judged or held a seat."""

from django.db import migrations

# No blindfold stands yet, so the trigger that looks for one is off: it would take a lock for each row.
BACKFILL = """
    alter table curation_exposure disable trigger user;
    insert into curation_exposure (person_id, image_id)
    select distinct seen.person_id, seen.image_id from (
        select i.contributor_id, i.id from curation_image i
        union all select i.pii_clear_by_id, i.id from curation_image i
        union all select v.judge_id, v.image_id from curation_imageverdict v
        union all select r.author_id, t.image_id from annotation_itemrevision r join annotation_item t on t.id = r.item_id
        union all select v.judge_id, t.image_id from annotation_verdict v join annotation_item t on t.id = v.item_id
        union all select s.holder_id, t.image_id from annotation_seat s join annotation_item t on t.id = s.item_id
        union all select p.assignee_id, t.image_id from annotation_package p
            join annotation_packageitem m on m.package_id = p.id join annotation_item t on t.id = m.item_id
        union all select p.reviewer_id, t.image_id from annotation_package p
            join annotation_packageitem m on m.package_id = p.id join annotation_item t on t.id = m.item_id
    ) seen (person_id, image_id)
    join curation_image i on i.id = seen.image_id
    join curation_benchmark b on b.id = i.benchmark_id
    join curation_protocolversion p on p.id = b.protocol_id
    where seen.person_id is not null and (p.content->'kinds' ? 'dialogue' or p.content->'planned' ? 'dialogue')
    on conflict do nothing;
    set constraints all immediate;
    set constraints all deferred;
    alter table curation_exposure enable trigger user;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_picture_items"),
        ("curation", "0022_covering"),
    ]

    operations = [migrations.RunSQL(BACKFILL, migrations.RunSQL.noop)]
