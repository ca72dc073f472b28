"""What uploads occupy on the disk and what benchmarks store, in bytes.

Sizes of kept originals are in no row; ``manage.py check_counts --repair`` adds those of before.
"""

from django.db import migrations, models
from django.db.models import Q

FILL = """
    update curation_upload set disk_bytes = bytes where state in ('receiving', 'checking', 'ready', 'failed');
    update curation_benchmark set picture_bytes = stored.bytes from (
        select image.benchmark_id, sum(file.bytes) as bytes from curation_rendition file
        join curation_image image on image.id = file.image_id group by image.benchmark_id
    ) stored where stored.benchmark_id = curation_benchmark.id
"""


class Migration(migrations.Migration):
    dependencies = [("curation", "0006_protocol_proposals")]

    operations = [
        migrations.AddField(
            model_name="benchmark", name="picture_bytes", field=models.BigIntegerField(default=0, db_default=0)
        ),
        migrations.AddField(
            model_name="upload", name="disk_bytes", field=models.BigIntegerField(default=0, db_default=0)
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="upload",
            constraint=models.CheckConstraint(condition=Q(disk_bytes__gte=0), name="upload_disk_bytes"),
        ),
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(
                condition=Q(disk_bytes__gt=0), fields=["person"], include=("disk_bytes",), name="upload_disk_of_person"
            ),
        ),
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(
                condition=Q(disk_bytes__gt=0), fields=["benchmark"], include=("disk_bytes",), name="upload_disk"
            ),
        ),
    ]
