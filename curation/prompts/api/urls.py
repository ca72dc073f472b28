"""Addresses of prompts."""

from django.urls import path

from curation.prompts.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/prompts", views.PromptsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/prompts/<slug:name>/<slug:language>/<int:no>", views.PromptView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/prompt-previews", views.PromptPreviewView.as_view()),
]
