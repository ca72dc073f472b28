"""Addresses of review and inspection."""

from django.urls import path

from annotation.quality.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/waiting", views.WaitingView.as_view()),
    path("packages/<int:package_id>/sheet", views.SheetView.as_view()),
    path("packages/<int:package_id>/hand-over", views.SubmitPackageView.as_view()),
    path("packages/<int:package_id>/take-review", views.StartReviewView.as_view()),
    path("packages/<int:package_id>/complete-review", views.CompleteReviewView.as_view()),
    path("packages/<int:package_id>/inspection", views.InspectionView.as_view()),
    path("packages/<int:package_id>/complete-inspection", views.CompleteInspectionView.as_view()),
    path("items/<int:item_id>/review", views.ReviewView.as_view()),
    path("items/<int:item_id>/decide-skip", views.SkipDecideView.as_view()),
    path("items/<int:item_id>/double", views.DoubleView.as_view()),
    path("items/<int:item_id>/inspect", views.InspectView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/quality", views.QualityView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/pools/<slug:purpose>", views.PoolView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/pools/<slug:purpose>/claim", views.PoolClaimView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/pools/<slug:purpose>/renew", views.PoolRenewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/pools/<slug:purpose>/release", views.PoolReleaseView.as_view()),
]
