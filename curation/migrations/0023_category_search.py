import re

import django.contrib.postgres.fields
from django.db import migrations, models


def _search(slug, name):
    """What finds a category: its names, its slug in words, pinyin of the Chinese name and the first letters of it."""
    from pypinyin import lazy_pinyin  # noqa: PLC0415  (slow to import, and needed only where there are categories)

    simplified = name.get("zh-Hans", "")
    found = [*name.values(), re.sub(r"[\s_-]+", " ", slug)]
    if re.search("[\u3400-\u9fff]", simplified):
        syllables = lazy_pinyin(simplified)
        joined = re.sub(r"[\s_-]+", "", "".join(syllables))
        found += [joined, joined.replace("v", "u"), "".join(syllable.strip()[:1] for syllable in syllables)]
    return list(dict.fromkeys(" ".join(value.lower().split()) for value in found if value.strip()))


def fill(apps, _):
    """Compute what finds the categories that exist."""
    categories = apps.get_model("curation", "Category")
    for category in categories.objects.order_by("pk"):
        category.search = _search(category.slug, category.name)
        category.save(update_fields=["search"])


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0022_covering"),
    ]

    operations = [
        migrations.AddField(
            model_name="category",
            name="search",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
