"""Addresses of review and inspection."""

from django.urls import path

from annotation.quality.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark>/waiting", views.WaitingView.as_view()),
    path("packages/<int:package>/sheet", views.SheetView.as_view()),
    path("packages/<int:package>/hand-over", views.HandOverView.as_view()),
    path("packages/<int:package>/take-review", views.TakeReviewView.as_view()),
    path("packages/<int:package>/complete-review", views.CompleteReviewView.as_view()),
    path("packages/<int:package>/inspection", views.InspectionView.as_view()),
    path("packages/<int:package>/complete-inspection", views.CompleteInspectionView.as_view()),
    path("items/<int:item>/review", views.ReviewView.as_view()),
    path("items/<int:item>/decide-skip", views.SkipDecideView.as_view()),
    path("items/<int:item>/inspect", views.InspectView.as_view()),
    path("items/<int:item>/history", views.HistoryView.as_view()),
    path("benchmarks/<slug:benchmark>/quality", views.QualityView.as_view()),
    path("benchmarks/<slug:benchmark>/pools/<slug:purpose>", views.PoolView.as_view()),
    path("benchmarks/<slug:benchmark>/pools/<slug:purpose>/claim", views.PoolClaimView.as_view()),
    path("benchmarks/<slug:benchmark>/pools/<slug:purpose>/renew", views.PoolRenewView.as_view()),
    path("benchmarks/<slug:benchmark>/pools/<slug:purpose>/release", views.PoolReleaseView.as_view()),
]
