"""Addresses of the board."""

from django.urls import path

from curation.board.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/category-board", views.BoardView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-board/draft", views.BoardDraftView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-board/submit", views.BoardSubmitView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-board/entries", views.BoardEntriesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-board/import", views.BoardImportView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-board/freeze", views.BoardFreezeView.as_view()),
    path("category-board-entries/<int:entry_id>", views.BoardEntryView.as_view()),
    path("category-board-entries/<int:entry_id>/decide", views.BoardDecideView.as_view()),
]
