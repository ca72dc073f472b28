"""Addresses of people outside the team."""

from django.urls import path

from evaluation.outsiders.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/submit", views.SubmitView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/submit/join", views.JoinView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/terms/accept", views.TermsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/outsiders", views.OutsidersView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/outsiders/<int:person_id>/bar", views.BarView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/outsiders/<int:person_id>/readmit", views.ReadmitView.as_view()),
]
