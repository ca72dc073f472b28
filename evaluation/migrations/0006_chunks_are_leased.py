"""A chunk of a run carries its own lease and error, as a job does; the jobs that held several chunks are gone."""

from django.db import migrations, models
from django.db.models import Q

# Who held a chunk is heard of again within a lease, or the chunk is claimed by another.
CHUNKS = """
    update evaluation_chunk set state = 'queued' where state = 'free';
    update evaluation_chunk set state = 'running', heartbeat_at = lease_until - interval '60 seconds'
     where state = 'held';
"""
# The chunks say what is left of a run, so its open jobs have nothing to do.
JOBS = """
    update curation_job set state = 'done', lease_until = null, finished_at = now()
     where task = 'evaluation.embed_accepted' and state in ('queued', 'running');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0004_notices"),
        ("evaluation", "0005_submissions"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="chunk", name="chunk_state"),
        migrations.RemoveConstraint(model_name="chunk", name="chunk_held_has_lease"),
        migrations.RenameField(model_name="chunk", old_name="holder", new_name="worker"),
        migrations.AlterField(model_name="chunk", name="worker", field=models.CharField(blank=True, max_length=128)),
        migrations.RenameField(model_name="chunk", old_name="done_at", new_name="finished_at"),
        migrations.AddField(model_name="chunk", name="heartbeat_at", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="chunk", name="error_code", field=models.CharField(blank=True, max_length=64)),
        migrations.AddField(model_name="chunk", name="error_params", field=models.JSONField(default=dict)),
        migrations.AddField(model_name="chunk", name="log", field=models.TextField(blank=True)),
        migrations.AlterField(
            model_name="chunk",
            name="state",
            field=models.CharField(
                choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                default="queued",
                max_length=16,
            ),
        ),
        migrations.RunSQL(CHUNKS, migrations.RunSQL.noop),
        migrations.RunSQL(JOBS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="chunk_state"
            ),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.CheckConstraint(
                condition=Q(state="running", lease_until__isnull=False) | ~Q(state="running"), name="chunk_leased"
            ),
        ),
        migrations.RenameField(model_name="failure", old_name="said", new_name="message"),
    ]
