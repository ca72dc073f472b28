"""Everybody may have seen the pictures of releases that were opened."""

from django.db import migrations

BACKFILL = """
    insert into curation_imagepublic (image_id)
    select distinct i.image_id from evaluation_publicrelease r
    join annotation_releaseimage i on i.release_id = r.release_id
    on conflict do nothing
"""


class Migration(migrations.Migration):
    dependencies = [
        ("evaluation", "0010_public_pages"),
        ("annotation", "0026_exposures"),
        ("curation", "0022_covering"),
    ]

    operations = [migrations.RunSQL(BACKFILL, migrations.RunSQL.noop)]
