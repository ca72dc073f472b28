"""Addresses of guidelines."""

from django.urls import path

from annotation.guidelines.api import views

OF_A_KIND = "benchmarks/<slug:benchmark_slug>/guidelines/<slug:kind>"

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/guidelines", views.GuidelinesView.as_view()),
    path(OF_A_KIND, views.GuidelineView.as_view()),
    path(f"{OF_A_KIND}/preset", views.GuidelinePresetView.as_view()),
    path(f"{OF_A_KIND}/pictures/<slug:label>", views.GuidelinePictureView.as_view()),
    path(f"{OF_A_KIND}/acknowledge", views.GuidelineAcknowledgeView.as_view()),
]
