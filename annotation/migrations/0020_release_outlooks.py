"""What releases hold is stored instead of counted."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# One release after the other: its own entries are found by the primary key.
COUNTS = """
    update annotation_release r set split_counts = (
        select coalesce(jsonb_object_agg(split, jsonb_build_array(images, items, bytes)), '{}')
        from (
            select e.split, count(distinct e.image_id) as images, count(*) as items, sum(p.bytes) as bytes
            from annotation_releaseentry e join curation_rendition p on p.id = e.rendition_id
            where e.release_id = r.id group by e.split
        ) as splits
    ) where r.frozen_at is not null
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_public_pages"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReleaseOutlook",
            fields=[
                (
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotation.release",
                    ),
                ),
                ("content", models.JSONField()),
                ("image_count", models.PositiveIntegerField()),
                ("computed_at", models.DateTimeField()),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="release",
            name="stays",
        ),
        migrations.AddField(
            model_name="release",
            name="split_counts",
            field=models.JSONField(null=True),
        ),
        migrations.RunSQL(COUNTS, migrations.RunSQL.noop),
        pgtrigger.migrations.AddTrigger(
            model_name="release",
            trigger=pgtrigger.compiler.Trigger(
                name="stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="if tg_op = 'DELETE' then if old.frozen_at is null then return old; end if; elsif old.frozen_at is null or (new.state not in ('draft', 'checked') and row(new.id, new.benchmark_id, new.number, new.label, new.kind, new.protocol_id, new.seed, new.splits_from, new.notes, new.previous_id, new.option_seed, new.event_id, new.digest, new.left_out, new.changes, new.split_counts, new.frozen_at) is not distinct from row(old.id, old.benchmark_id, old.number, old.label, old.kind, old.protocol_id, old.seed, old.splits_from, old.notes, old.previous_id, old.option_seed, old.event_id, old.digest, old.left_out, old.changes, old.split_counts, old.frozen_at)) then return new; end if; raise exception using errcode = 'restrict_violation', message = format('release %s is frozen', old.id);",
                    hash="5c35759018126ea28df042556d39ec36c98de3ca",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_stays_0f8a1",
                    table="annotation_release",
                    when="BEFORE",
                ),
            ),
        ),
    ]
