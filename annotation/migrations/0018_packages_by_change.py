"""Packages are listed by the time of their last change of state."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0017_release_labels"),
        ("curation", "0016_offers_are_withdrawn"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="package",
            index=models.Index(fields=["benchmark", "state_changed_at", "id"], name="package_by_change"),
        ),
    ]
