"""A prediction names a revision that exists."""

from django.db import migrations


class Migration(migrations.Migration):
    """Adds the constraint after the tables exist."""

    dependencies = [("evaluation", "0001_initial"), ("annotation", "0002_composite_keys")]
    operations = [
        migrations.RunSQL(
            """
            alter table evaluation_prediction add constraint prediction_of_revision
              foreign key (item_id, revision_no) references annotation_itemrevision (item_id, no);
            """,
            "alter table evaluation_prediction drop constraint prediction_of_revision;",
        )
    ]
