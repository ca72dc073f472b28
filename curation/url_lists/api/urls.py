"""Addresses of uploads by addresses."""

from django.urls import path

from curation.url_lists.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/url-setting", views.SettingView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/url-lists", views.ListsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/url-lists/preview", views.PreviewView.as_view()),
    path("url-lists/<int:list_id>", views.ListView.as_view()),
    path("url-lists/<int:list_id>/retry", views.RetryView.as_view()),
]
