"""Addresses of leaderboards and samples."""

from django.urls import path

from evaluation.leaderboards.api import views

urlpatterns = [
    path("releases/<int:release_id>/leaderboard", views.LeaderboardView.as_view()),
    path("releases/<int:release_id>/leaderboard/<str:name>", views.LeaderboardFileView.as_view()),
    path("releases/<int:release_id>/comparison", views.ComparisonView.as_view()),
    path("releases/<int:release_id>/profile-board", views.ProfileBoardView.as_view()),
    path("releases/<int:release_id>/profile-comparison", views.ProfileComparisonView.as_view()),
    path("sets/<int:set_id>/board", views.SetBoardView.as_view()),
    path("sets/<int:set_id>/board/<str:name>", views.SetBoardFileView.as_view()),
    path("sets/<int:set_id>/comparison", views.SetComparisonView.as_view()),
    path("releases/<int:release_id>/samples", views.SamplesView.as_view()),
    path("releases/<int:release_id>/samples/<str:scope>/<int:ordinal>", views.SampleView.as_view()),
]
