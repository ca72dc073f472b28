"""Addresses of the decisions about public pages."""

from django.urls import path

from evaluation.publication.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/publication", views.PublicationView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/publication/preview/<path:page>", views.PreviewView.as_view()),
    path("releases/<int:release_id>/open", views.OpenReleaseView.as_view()),
    path("releases/<int:release_id>/close", views.CloseReleaseView.as_view()),
]
