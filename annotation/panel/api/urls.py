"""Addresses of the judgement of items by a panel."""

from django.urls import path

from annotation.panel.api import views

urlpatterns = [
    path("items/<int:item_id>/judge", views.JudgeView.as_view()),
]
