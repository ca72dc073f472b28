"""Inspections have a draw instead of a sample of their own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_draws")]

    operations = [
        migrations.AlterField(
            model_name="inspection",
            name="draw",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="inspection", to="annotation.draw"
            ),
        ),
        migrations.RemoveConstraint(model_name="inspection", name="inspection_size"),
        migrations.RemoveField(model_name="inspection", name="drawn_at"),
        migrations.RemoveField(model_name="inspection", name="population"),
        migrations.RemoveField(model_name="inspection", name="seed"),
        migrations.RemoveField(model_name="inspection", name="size"),
        migrations.DeleteModel(name="InspectionSample"),
    ]
