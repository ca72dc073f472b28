"""Addresses of bulk actions."""

from django.urls import path

from annotation.bulk.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/bulk", views.PrepareView.as_view()),
    path("bulk/<int:bulk_id>", views.BulkView.as_view()),
    path("bulk/<int:bulk_id>/apply", views.ApplyView.as_view()),
    path("bulk/<int:bulk_id>/undo", views.UndoView.as_view()),
]
