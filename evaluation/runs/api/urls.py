"""Addresses of runs."""

from django.urls import path

from evaluation.runs.api import views

urlpatterns = [path("benchmarks/<slug:benchmark>/runs", views.RunsView.as_view())]
