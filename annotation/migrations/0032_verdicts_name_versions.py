"""A verdict names the version of the picture that its judge saw; those so far are about the newest one of their time."""

from django.db import migrations, models

_NAME_VERSIONS = """
    alter table annotation_verdict disable trigger user;
    update annotation_verdict v set picture_no = covered.no from (
        select w.id, max(d.no) as no from annotation_verdict w
        join annotation_item i on i.id = w.item_id
        join curation_redaction d on d.image_id = i.image_id and d.covers and d.at < w.created_at
        group by w.id
    ) covered where covered.id = v.id;
    alter table annotation_verdict enable trigger user;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0031_bulk_notified"), ("curation", "0026_ticks_name_versions")]

    operations = [
        migrations.AddField(
            model_name="verdict",
            name="picture_no",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(_NAME_VERSIONS, migrations.RunSQL.noop),
    ]
