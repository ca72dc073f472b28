"""Addresses of item sets."""

from django.urls import path

from evaluation.sets.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/sets", views.SetsView.as_view()),
    path("sets/<int:set_id>", views.SetView.as_view()),
    path("sets/<int:set_id>/pictures/<int:picture_id>", views.SetPictureView.as_view()),
]
