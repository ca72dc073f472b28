"""An item's category, in Python for records and in SQL for counts."""

import json

import pytest
from django.db import connection

from annotation.kinds.categories import category_of, category_sql

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("content", "of_picture", "category"),
    [
        ({"category": "food", "question": "?"}, "music", "food"),
        ({"category": "food"}, None, "food"),
        ({"category": ""}, "music", "music"),
        ({"captions": []}, "music", "music"),
        ({"captions": []}, None, ""),
    ],
)
def test_is_the_contents_own_before_the_pictures(content, of_picture, category):
    assert category_of(content, of_picture) == category
    with connection.cursor() as cursor:
        cursor.execute(f"select {category_sql('%s::jsonb', '%s::text')}", [json.dumps(content), of_picture])
        assert cursor.fetchone() == (category,)
