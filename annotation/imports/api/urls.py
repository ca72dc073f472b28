"""Addresses of imports."""

from django.urls import path

from annotation.imports.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/imports", views.ImportsView.as_view()),
    path("imports/<int:import_id>", views.ImportView.as_view()),
    path("imports/<int:import_id>/rows", views.ImportRowsView.as_view()),
]
