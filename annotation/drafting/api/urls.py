"""Addresses of drafting."""

from django.urls import path

from annotation.drafting.api import views

urlpatterns = [
    path("images/<int:image_id>/draftings", views.DraftingsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/drafting-yield", views.YieldView.as_view()),
    path("draftings/<int:drafting_id>/use", views.UseView.as_view()),
    path("draftings/<int:drafting_id>/discard", views.DiscardView.as_view()),
]
