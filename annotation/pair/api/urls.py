"""Addresses of the pair track."""

from django.urls import path

from annotation.pair.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/clicking", views.ClickingView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/clicking/claim", views.ClaimView.as_view()),
    path("items/<int:item_id>/click", views.ClickView.as_view()),
    path("items/<int:item_id>/clicks", views.ClicksView.as_view()),
    path("items/<int:item_id>/decide", views.DecideView.as_view()),
]
