"""Jobs that failed on a full disk get the code that such jobs have now, because the texts of the earlier ones are gone."""

from django.db import migrations

RENAME = """
    update curation_job
    set error_code = 'storage_full',
        error_params = error_params
            || jsonb_build_object('disk', case error_code when 'disk_full' then 'media' else 'models' end)
    where error_code in ('disk_full', 'model_store_full')
"""


class Migration(migrations.Migration):
    dependencies = [("curation", "0009_entries_to_unpack")]

    operations = [migrations.RunSQL(RENAME, migrations.RunSQL.noop)]
