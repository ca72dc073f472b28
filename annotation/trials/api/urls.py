"""Addresses of blind trials."""

from django.urls import path

from annotation.trials.api import views

urlpatterns = [path("items/<int:item_id>/blind-trials", views.BlindTrialsView.as_view())]
