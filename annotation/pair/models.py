"""Rounds in which a second person clicks on what expressions mean."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from annotation.judging.models import Judging
from annotation.pair.rules import ANSWERS
from curation.core.models import AppendOnly
from curation.people.models import Person


class ClickRound(AppendOnly):
    """The seed of the order in which the expressions of a judged revision come (CVLUE, appendix A.2.4)."""

    judging = models.OneToOneField(Judging, on_delete=models.PROTECT, primary_key=True, related_name="round")
    seed = models.BinaryField(max_length=16)


class Click(AppendOnly):
    """One answer of a second person to an expression: a point on the picture, ``not_found`` or ``several``.

    ``position`` counts a person's answers from 1, ``key`` is the expression's. ``hit`` is the key of the object that
    the point is in; of several the smallest. Who holds the seat after another person began starts at 1, and the
    answers of both stay. ``ms`` is the time since the expression was shown.
    """

    judging = models.ForeignKey(Judging, on_delete=models.PROTECT, related_name="clicks", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+", db_index=False)
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=32)
    answer = models.CharField(max_length=16)
    x = models.FloatField(null=True)
    y = models.FloatField(null=True)
    hit = models.CharField(max_length=32, blank=True, default="", db_default="")
    correct = models.BooleanField()
    ms = models.PositiveIntegerField(null=True)
    client_key = models.UUIDField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta(AppendOnly.Meta):
        constraints = [
            models.UniqueConstraint(fields=["judging", "person", "position"], name="click_once"),
            models.UniqueConstraint(fields=["judging", "person", "key"], name="click_of_expression_once"),
            models.UniqueConstraint(fields=["person", "client_key"], name="click_key_once"),
            models.CheckConstraint(condition=Q(answer__in=ANSWERS), name="click_answer"),
            models.CheckConstraint(
                condition=Q(answer="point", x__isnull=False, y__isnull=False)
                | (~Q(answer="point") & Q(x__isnull=True, y__isnull=True, hit="")),
                name="click_point_has_place",
            ),
            models.CheckConstraint(condition=Q(correct=False) | Q(hit=models.F("key")), name="click_correct_hits"),
        ]
