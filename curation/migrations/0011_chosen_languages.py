"""Whether people chose their language; those who signed in before have theirs."""

from django.db import migrations, models

CHOSEN = """
    update curation_person set language_chosen = true where last_login is not null or language <> 'zh-Hans'
"""


class Migration(migrations.Migration):
    dependencies = [("curation", "0010_full_disks_have_one_code")]

    operations = [
        migrations.AddField(
            model_name="person",
            name="language_chosen",
            field=models.BooleanField(default=False, db_default=False),
        ),
        migrations.RunSQL(CHOSEN, migrations.RunSQL.noop),
    ]
