"""An import may name the team of all its rows."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0012_peer_track"),
        ("curation", "0010_full_disks_have_one_code"),
    ]

    operations = [
        migrations.AddField(
            model_name="import",
            name="team",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="curation.team"
            ),
        ),
    ]
