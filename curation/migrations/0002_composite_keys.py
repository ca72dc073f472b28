"""Keys over several columns, which Django cannot declare: a verdict names the picture's real contributor."""

from django.db import migrations


class Migration(migrations.Migration):
    """Adds the constraint after the tables exist."""

    dependencies = [("curation", "0001_initial")]
    operations = [
        migrations.RunSQL(
            """
            alter table curation_imageverdict add constraint image_verdict_of_contributor
              foreign key (image_id, contributor_id) references curation_image (id, contributor_id);
            """,
            "alter table curation_imageverdict drop constraint image_verdict_of_contributor;",
        )
    ]
