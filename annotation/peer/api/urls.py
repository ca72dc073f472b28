"""Addresses of teams' work on their items."""

from django.urls import path

from annotation.peer.api import views

urlpatterns = [
    path("items/<int:item_id>/peer", views.ItemView.as_view()),
    path("items/<int:item_id>/star", views.StarView.as_view()),
    path("items/<int:item_id>/send-back", views.SendBackView.as_view()),
    path("items/<int:item_id>/reopen", views.ReopenView.as_view()),
    path("items/<int:item_id>/spot-check", views.SpotCheckView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/credit", views.CreditView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/credit.csv", views.CreditFileView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/team-statistics", views.StatisticsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/spot-checks", views.SpotChecksView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/spot-checks/sheet", views.SpotCheckSheetView.as_view()),
    path("items/<int:item_id>/discard", views.DiscardView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/team-board", views.BoardView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/team-places", views.PlacesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/team-items", views.CreateView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/peer-pool", views.PoolView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/peer-pool/claim", views.PoolClaimView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/peer-pool/renew", views.PoolRenewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/peer-pool/release", views.PoolReleaseView.as_view()),
]
