"""The team of an item, equal to its picture's by a key over two columns, which Django cannot declare."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0009_inspections_have_draws"),
        ("curation", "0008_teams_and_pairs"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="item",
            name="track_stays",
        ),
        migrations.AddField(
            model_name="item",
            name="team",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="curation.team",
            ),
        ),
        migrations.RunSQL(
            """
            alter table annotation_item add constraint item_team_of_picture
              foreign key (image_id, team_id) references curation_image (id, team_id);
            """,
            "alter table annotation_item drop constraint item_team_of_picture;",
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="track_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."track" IS DISTINCT FROM (NEW."track") OR OLD."team_id" IS DISTINCT FROM (NEW."team_id"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="1d10621dbed7a3755775e53a7a64ccfc4c33b0e0",
                    operation="UPDATE",
                    pgid="pgtrigger_track_stays_62448",
                    table="annotation_item",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("track", "peer"), _negated=True), ("team__isnull", False), _connector="OR"
                ),
                name="item_peer_has_team",
            ),
        ),
    ]
