"""Addresses of packages and of writing."""

from django.urls import path

from annotation.packages.api import views

urlpatterns = [
    # Django tries addresses in order, so those that each annotator requests hundreds of times a day come first.
    path("packages/<int:package_id>/next", views.NextView.as_view()),
    path("items/<int:item_id>/draft", views.DraftView.as_view()),
    path("items/<int:item_id>/submit", views.SubmitView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages", views.PackagesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/board", views.BoardView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/preview", views.PreviewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/build", views.BuildView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/packages/claim", views.ClaimView.as_view()),
    path("packages/<int:package_id>", views.PackageView.as_view()),
    path("packages/<int:package_id>/assign", views.AssignView.as_view()),
    path("packages/<int:package_id>/take-back", views.RevokeAssignmentView.as_view()),
    path("packages/<int:package_id>/withdraw", views.WithdrawView.as_view()),
    path("packages/<int:package_id>/resume", views.ResumeView.as_view()),
    path("packages/<int:package_id>/self-check", views.SelfCheckView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/items", views.ItemsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/items/import", views.ImportView.as_view()),
    path("items/<int:item_id>", views.ItemView.as_view()),
    path("items/<int:item_id>/skip", views.SkipView.as_view()),
    path("images/<int:image_id>/items", views.ImageItemsView.as_view()),
]
