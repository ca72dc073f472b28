"""Addresses of people."""

from django.urls import path

from curation.people.api import views

urlpatterns = [
    path("session", views.SessionView.as_view()),
    path("demo-log-ins", views.DemoLogInsView.as_view()),
    path("benchmarks/<slug:benchmark>/people", views.PeopleView.as_view()),
    path("benchmarks/<slug:benchmark>/audit", views.AuditView.as_view()),
    path("jobs/<int:job_id>", views.JobView.as_view()),
]
