"""Addresses of benchmarks and their categories."""

from django.urls import path

from curation.taxonomy.api import views

urlpatterns = [
    path("protocol-presets", views.PresetsView.as_view()),
    path("benchmarks", views.BenchmarksView.as_view()),
    path("benchmarks/<slug:benchmark>", views.BenchmarkView.as_view()),
]
