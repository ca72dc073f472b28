"""No job is cancelled any longer: what is cancelled is a run, whose chunks no worker claims then."""

from django.db import migrations, models
from django.db.models import Q

STATES = ["queued", "running", "done", "failed"]


class Migration(migrations.Migration):
    dependencies = [("curation", "0004_notices")]

    operations = [
        migrations.RunSQL("update curation_job set state = 'done' where state = 'cancelled'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="job", name="job_state"),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[(state, state.title()) for state in STATES], default="queued", max_length=16
            ),
        ),
        migrations.AddConstraint(
            model_name="job", constraint=models.CheckConstraint(condition=Q(state__in=STATES), name="job_state")
        ),
    ]
