"""Addresses of systems."""

from django.urls import path

from evaluation.systems.api import views

urlpatterns = [
    path("systems", views.SystemsView.as_view()),
    path("model-servers", views.ModelServersView.as_view()),
    path("systems/<slug:system_slug>", views.SystemView.as_view()),
    path("systems/<slug:system_slug>/fetch", views.FetchView.as_view()),
]
