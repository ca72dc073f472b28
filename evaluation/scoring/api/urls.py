"""Addresses of scores."""

from django.urls import path

from evaluation.scoring.api import views

urlpatterns = [
    path("releases/<int:release_id>/scores", views.ScoresView.as_view()),
    path("releases/<int:release_id>/score", views.ScoreView.as_view()),
    path("sets/<int:set_id>/scores", views.SetScoresView.as_view()),
    path("runs/<int:run_id>/report", views.ReportView.as_view()),
]
