"""What failed becomes rows of its own, so that a later round can try again; a prediction is an answer."""

from django.db import migrations, models

MOVE = """
    set constraints all immediate;
    alter table evaluation_prediction disable trigger user;
    insert into evaluation_failure (run_id, item_id, revision_no, variant, round, code, said, created_at)
    select run_id, item_id, revision_no, variant, 0, coalesce(value ->> 'code', 'system_refused_input'), raw, created_at
      from evaluation_prediction where outcome = 'failed';
    delete from evaluation_prediction where outcome = 'failed';
    alter table evaluation_prediction enable trigger user;
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0003_chunks_failures_rankings")]

    operations = [
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="prediction",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ["ok", "refused"])), name="prediction_outcome"
            ),
        ),
    ]
