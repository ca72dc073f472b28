"""The entries of an archive that are still to be unpacked; those of open archives are counted by their next job."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0008_teams_and_pairs")]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="entries_to_unpack",
            field=models.PositiveIntegerField(default=0, db_default=0),
        ),
    ]
