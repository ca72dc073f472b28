"""Comments on items."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from annotation.items.models import Item
from curation.core.models import AppendOnly
from curation.people.models import Person


class Comment(AppendOnly):
    """A comment on an item; ``mentions`` are the ids of the people mentioned in it, who get a notification."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    mentions = ArrayField(models.BigIntegerField(), default=list)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [models.UniqueConstraint(fields=["author", "client_key"], name="comment_key_once")]
        indexes = [models.Index(fields=["item", "id"], name="comment_of_item")]
