"""Addresses of submissions."""

from django.urls import path

from evaluation.submissions.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/submissions", views.OpenReleasesView.as_view()),
    path("releases/<int:release_id>/submissions", views.SubmissionsView.as_view()),
    path("releases/<int:release_id>/submissions/template", views.TemplateView.as_view()),
    path("submissions/<int:submission_id>", views.SubmissionView.as_view()),
    path("submissions/<int:submission_id>/file", views.FileView.as_view()),
    path("submissions/<int:submission_id>/list-on", views.ListOnView.as_view()),
    path("submissions/<int:submission_id>/list-off", views.ListOffView.as_view()),
]
