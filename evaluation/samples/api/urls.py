"""Addresses of samples of runs over item sets."""

from django.urls import path

from evaluation.samples.api import views

urlpatterns = [
    path("runs/<int:run_id>/samples", views.PredictionListView.as_view()),
    path("runs/<int:run_id>/samples/filters", views.PredictionFiltersView.as_view()),
    path("runs/<int:run_id>/samples/<int:ordinal>", views.PredictionView.as_view()),
    path("runs/<int:run_id>/samples/<int:ordinal>/override", views.OverrideView.as_view()),
]
