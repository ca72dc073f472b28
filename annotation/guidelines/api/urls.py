"""Addresses of guidelines."""

from django.urls import path

from annotation.guidelines.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark>/guidelines", views.GuidelinesView.as_view()),
    path("benchmarks/<slug:benchmark>/guidelines/<slug:kind>", views.GuidelineView.as_view()),
    path("benchmarks/<slug:benchmark>/guidelines/<slug:kind>/preset", views.GuidelinePresetView.as_view()),
    path("benchmarks/<slug:benchmark>/guidelines/<slug:kind>/acknowledge", views.GuidelineAcknowledgeView.as_view()),
]
