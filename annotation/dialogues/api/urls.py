"""Addresses of dialogues."""

from django.urls import path

from annotation.dialogues.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/lobby", views.LobbyView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/lobby/leave", views.LobbyLeaveView.as_view()),
    path("dialogues/<int:dialogue_id>", views.DialogueView.as_view()),
    path("dialogues/<int:dialogue_id>/turns", views.TurnsView.as_view()),
    path("dialogues/<int:dialogue_id>/sign", views.SignView.as_view()),
    path("dialogues/<int:dialogue_id>/pause", views.PauseView.as_view()),
    path("dialogues/<int:dialogue_id>/resume", views.ResumeView.as_view()),
    path("dialogues/<int:dialogue_id>/leave", views.LeaveView.as_view()),
]
