"""Addresses of submissions."""

from django.urls import path

from evaluation.submissions.api import crews, views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/submissions", views.OpenReleasesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/crew", crews.CrewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/crew/link", crews.LinkView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/crew/invitation", crews.InvitationView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/crew/join", crews.JoinView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/crew/leave", crews.LeaveView.as_view()),
    path("releases/<int:release_id>/submissions", views.SubmissionsView.as_view()),
    path("releases/<int:release_id>/submissions/template", views.TemplateView.as_view()),
    path("submissions/<int:submission_id>", views.SubmissionView.as_view()),
    path("submissions/<int:submission_id>/file", views.FileView.as_view()),
    path("submissions/<int:submission_id>/list-on", views.ListOnView.as_view()),
    path("submissions/<int:submission_id>/list-off", views.ListOffView.as_view()),
    path("submissions/<int:submission_id>/hide", views.HideView.as_view()),
    path("submissions/<int:submission_id>/unhide", views.UnhideView.as_view()),
]
