"""Addresses of packages."""

from django.urls import path

from annotation.packages.api import views

urlpatterns = [
    # Django tries addresses in order, so the one that each annotator requests hundreds of times a day comes first.
    path("packages/<int:package_id>/next", views.NextView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages", views.PackagesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages.csv", views.PackageFileView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/board", views.BoardView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/preview", views.PreviewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/build", views.BuildView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/claim", views.ClaimView.as_view()),
    path("packages/<int:package_id>", views.PackageView.as_view()),
    path("packages/<int:package_id>/items", views.PlacesView.as_view()),
    path("packages/<int:package_id>/assign", views.AssignView.as_view()),
    path("packages/<int:package_id>/take-back", views.RevokeAssignmentView.as_view()),
    path("packages/<int:package_id>/withdraw", views.WithdrawView.as_view()),
    path("packages/<int:package_id>/resume", views.ResumeView.as_view()),
    path("packages/<int:package_id>/self-check", views.SelfCheckView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/items/import", views.ImportView.as_view()),
    path("items/<int:item_id>/skip", views.SkipView.as_view()),
]
