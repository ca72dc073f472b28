"""Keys over several columns, which Django cannot declare, and arithmetic that must hold in the database too."""

from django.db import migrations


class Migration(migrations.Migration):
    """Adds the constraints after the tables exist."""

    dependencies = [("annotation", "0001_initial")]
    operations = [
        migrations.RunSQL(
            """
            alter table annotation_verdict add constraint verdict_of_author
              foreign key (item_id, revision_no, author_id) references annotation_itemrevision (item_id, no, author_id);
            alter table annotation_inspectionsample add constraint inspection_sample_of_revision
              foreign key (item_id, revision_no) references annotation_itemrevision (item_id, no);
            alter table annotation_inspection add constraint inspection_seed_length check (length(seed) = 16);
            alter table annotation_inspection add constraint inspection_errors_allowed
              check (errors_allowed = ((100 - pass_over_percent) * size - 1) / 100);
            alter table annotation_releaseentry add constraint release_entry_of_revision
              foreign key (item_id, revision_no) references annotation_itemrevision (item_id, no);
            alter table annotation_releaseentry add constraint release_entry_in_split
              foreign key (release_id, image_id, split) references annotation_releaseimage (release_id, image_id, split);
            """,
            """
            alter table annotation_releaseentry drop constraint release_entry_in_split,
              drop constraint release_entry_of_revision;
            alter table annotation_inspection drop constraint inspection_errors_allowed,
              drop constraint inspection_seed_length;
            alter table annotation_inspectionsample drop constraint inspection_sample_of_revision;
            alter table annotation_verdict drop constraint verdict_of_author;
            """,
        )
    ]
