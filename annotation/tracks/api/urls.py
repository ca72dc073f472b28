"""Addresses of items, drafts and submissions."""

from django.urls import path

from annotation.tracks.api import views

urlpatterns = [
    # Django tries addresses in order, so those that each annotator requests hundreds of times a day come first.
    path("items/<int:item_id>/draft", views.DraftView.as_view()),
    path("items/<int:item_id>/submit", views.SubmitView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/items", views.ItemsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/items.csv", views.ItemFileView.as_view()),
    path("items/<int:item_id>", views.ItemView.as_view()),
    path("items/<int:item_id>/history", views.HistoryView.as_view()),
    path("items/<int:item_id>/exclude", views.ExcludeView.as_view()),
    path("items/<int:item_id>/confirm", views.ConfirmView.as_view()),
    path("images/<int:image_id>/items", views.ImageItemsView.as_view()),
]
