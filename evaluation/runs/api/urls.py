"""Addresses of runs."""

from django.urls import path

from evaluation.runs.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/runs", views.RunsView.as_view()),
    path("sets/<int:set_id>/runs", views.SetRunsView.as_view()),
    path("sets/<int:set_id>/run-plans", views.SetRunPlanView.as_view()),
    path("runs/<int:run_id>", views.RunView.as_view()),
    path("runs/<int:run_id>/failures", views.FailuresView.as_view()),
    path("runs/<int:run_id>/predictions", views.PredictionsView.as_view()),
    path("runs/<int:run_id>/pause", views.PauseView.as_view()),
    path("runs/<int:run_id>/resume", views.ResumeView.as_view()),
    path("runs/<int:run_id>/cancel", views.CancelView.as_view()),
    path("runs/<int:run_id>/retry", views.RetryView.as_view()),
]
