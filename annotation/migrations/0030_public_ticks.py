"""Public pages leave a covered picture out until it has a tick, so that a tick changes them, too."""

from django.db import migrations

PUBLIC = """
    drop trigger annotation_public_picture on curation_image;
    create trigger annotation_public_picture after update of state, redaction_no, clear_no on curation_image for each row
    when ((old.state = 'withdrawn') is distinct from (new.state = 'withdrawn') or old.redaction_no <> new.redaction_no
        or new.redaction_no > 0 and old.clear_no is distinct from new.clear_no)
    execute function annotation_public_picture();
"""
BEFORE = """
    drop trigger annotation_public_picture on curation_image;
    create trigger annotation_public_picture after update of state, redaction_no on curation_image for each row
    when ((old.state = 'withdrawn') is distinct from (new.state = 'withdrawn') or old.redaction_no <> new.redaction_no)
    execute function annotation_public_picture();
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0029_covered")]

    operations = [migrations.RunSQL(PUBLIC, BEFORE)]
