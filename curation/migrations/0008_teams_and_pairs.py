"""The pair of country and language that a team is for, and the team of each picture.

A stored picture gets the only team in which its contributor held a role when it was added; if they held none in a team
then, the only one in which they hold a role now.
"""

import django.db.models.deletion
from django.db import migrations, models

TEAMS = """
    with held as (
        select image.id, role.team_id, role.ended_at is null as still_held,
            role.granted_at <= image.created_at and (role.ended_at is null or role.ended_at > image.created_at) as at_upload
        from curation_image image
        join curation_rolegrant role on role.person_id = image.contributor_id and role.benchmark_id = image.benchmark_id
        where role.team_id is not null
    ), teams as (
        select id,
            count(distinct team_id) filter (where at_upload) as at_upload, min(team_id) filter (where at_upload) as first,
            count(distinct team_id) filter (where still_held) as still_held, min(team_id) filter (where still_held) as now
        from held group by id
    )
    update curation_image set team_id = case at_upload when 1 then first else now end
    from teams
    where teams.id = curation_image.id and (at_upload = 1 or (at_upload = 0 and still_held = 1))
"""


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0007_bytes_on_the_disk"),
    ]

    operations = [
        migrations.AddField(
            model_name="image",
            name="team",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="curation.team",
            ),
        ),
        migrations.AddField(
            model_name="team",
            name="continent",
            field=models.CharField(blank=True, db_default="", default="", max_length=24),
        ),
        migrations.AddField(
            model_name="team",
            name="country",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="team",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=16),
        ),
        migrations.AddField(
            model_name="team",
            name="language_name",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="team",
            name="pair",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="team",
            name="script",
            field=models.CharField(blank=True, db_default="", default="", max_length=24),
        ),
        migrations.RunSQL(TEAMS, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="image",
            index=models.Index(
                condition=models.Q(("team__isnull", False)), fields=["team", "number"], name="image_by_team"
            ),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.UniqueConstraint(fields=("id", "team"), name="image_team"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at", None), models.Q(("pair", ""), _negated=True)),
                fields=("benchmark", "pair"),
                name="team_pair_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("language", ""),
                    ("language__regex", "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$"),
                    _connector="OR",
                ),
                name="team_language_tag",
            ),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("continent", ""),
                        ("country__isnull", True),
                        ("language", ""),
                        ("language_name__isnull", True),
                        ("pair", ""),
                        ("script", ""),
                    ),
                    models.Q(
                        ("country__isnull", False),
                        ("language_name__isnull", False),
                        models.Q(
                            ("pair", ""),
                            ("language", ""),
                            ("script", ""),
                            ("continent", ""),
                            _connector="OR",
                            _negated=True,
                        ),
                    ),
                    _connector="OR",
                ),
                name="team_pair_complete",
            ),
        ),
    ]
