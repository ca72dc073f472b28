"""Items need a picture with a tick, revisions its current version; public pages change when a picture is covered."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

PUBLIC = """
    drop trigger annotation_public_picture on curation_image;
    create trigger annotation_public_picture after update of state, redaction_no on curation_image for each row
    when ((old.state = 'withdrawn') is distinct from (new.state = 'withdrawn') or old.redaction_no <> new.redaction_no)
    execute function annotation_public_picture();
"""
BEFORE = """
    drop trigger annotation_public_picture on curation_image;
    create trigger annotation_public_picture after update of state on curation_image for each row
    when ((old.state = 'withdrawn') is distinct from (new.state = 'withdrawn'))
    execute function annotation_public_picture();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0028_doubles"),
    ]

    operations = [
        migrations.AddField(
            model_name="itemrevision",
            name="picture_no",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="item",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_clear",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform from curation_image i where i.id = new.image_id and (i.pii_clear_by_id is not null or i.shared_at is not null and new.track = 'peer') for share; if not found then raise exception using errcode = 'check_violation', constraint = 'item_picture_clear', message = 'item_picture_clear'; end if; return new;",
                    hash="be934dd5dd830343b308a3cdeed21cee0091db02",
                    operation="INSERT",
                    pgid="pgtrigger_picture_clear_32a07",
                    table="annotation_item",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="itemrevision",
            trigger=pgtrigger.compiler.Trigger(
                name="picture_current",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="perform from annotation_item t join curation_image i on i.id = t.image_id where t.id = new.item_id and i.redaction_no = new.picture_no and (i.pii_clear_by_id is not null or i.shared_at is not null and t.track = 'peer'); if not found then raise exception using errcode = 'check_violation', constraint = 'item_revision_of_version', message = 'item_revision_of_version'; end if; return new;",
                    hash="feffc1b688dbfd1b1bfee9b8e8aaadc516e0b487",
                    operation="INSERT",
                    pgid="pgtrigger_picture_current_02bb3",
                    table="annotation_itemrevision",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(PUBLIC, BEFORE),
    ]
