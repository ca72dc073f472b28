"""Drop what nothing writes: a prediction's outcome and raw text, and two counts of a score.

The first release could write predictions without an answer; what it refused becomes a failure, as what failed did.
"""

from django.db import migrations

MOVE = """
    set constraints all immediate;
    alter table evaluation_prediction disable trigger user;
    insert into evaluation_failure (run_id, item_id, revision_no, variant, round, code, message, created_at)
    select run_id, item_id, revision_no, variant, 0, coalesce(value ->> 'code', 'system_refused_input'), raw, created_at
      from evaluation_prediction where outcome = 'refused';
    delete from evaluation_prediction where outcome = 'refused';
    alter table evaluation_prediction enable trigger user;
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0006_chunks_are_leased")]

    operations = [
        migrations.RunSQL(MOVE, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="prediction", name="prediction_outcome"),
        migrations.RemoveField(model_name="prediction", name="outcome"),
        migrations.RemoveField(model_name="prediction", name="raw"),
        migrations.RemoveField(model_name="score", name="n_unparsable"),
        migrations.RemoveField(model_name="score", name="n_refused"),
    ]
