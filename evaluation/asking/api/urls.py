"""Addresses of trying prompts on models."""

from django.urls import path

from evaluation.asking.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/answer-prices", views.AnswerPriceView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/answers", views.TryView.as_view()),
    path("answers/<int:trial_id>", views.TrialView.as_view()),
]
