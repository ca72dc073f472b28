"""Addresses of calls."""

from django.urls import path

from curation.calls.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/calls", views.CallsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/calls/<int:call_id>", views.CallView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/spending", views.SpendingView.as_view()),
    path("offers", views.OffersView.as_view()),
    path("offers/<int:offer_id>/withdraw", views.OfferWithdrawView.as_view()),
]
