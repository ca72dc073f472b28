"""A verdict's package becomes a plain number: verdicts are in a room below packages. The column stays as it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_tracks")]

    operations = [
        # Drops the foreign key's constraint and its own index in the database.
        migrations.AlterField(
            model_name="verdict",
            name="package",
            field=models.ForeignKey(
                "annotation.package",
                null=True,
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="verdicts",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name="verdict", name="verdict_of_package"),
                migrations.RemoveField(model_name="verdict", name="package"),
                migrations.AddField(model_name="verdict", name="package_id", field=models.BigIntegerField(null=True)),
                migrations.AddIndex(
                    model_name="verdict",
                    index=models.Index(fields=["package_id", "round", "stage"], name="verdict_of_package"),
                ),
            ]
        ),
    ]
