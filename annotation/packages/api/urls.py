"""Addresses of packages and of writing."""

from django.urls import path

from annotation.packages.api import views

urlpatterns = [
    # What each annotator asks hundreds of times a day stands first: addresses are tried in order.
    path("packages/<int:package>/next", views.NextView.as_view()),
    path("items/<int:item>/draft", views.DraftView.as_view()),
    path("items/<int:item>/submit", views.SubmitView.as_view()),
    path("benchmarks/<slug:benchmark>/packages", views.PackagesView.as_view()),
    path("benchmarks/<slug:benchmark>/board", views.BoardView.as_view()),
    path("benchmarks/<slug:benchmark>/packages/preview", views.PreviewView.as_view()),
    path("benchmarks/<slug:benchmark>/packages/build", views.BuildView.as_view()),
    path("benchmarks/<slug:benchmark>/packages/claim", views.ClaimView.as_view()),
    path("packages/<int:package>", views.PackageView.as_view()),
    path("packages/<int:package>/assign", views.AssignView.as_view()),
    path("packages/<int:package>/take-back", views.TakeBackView.as_view()),
    path("packages/<int:package>/withdraw", views.WithdrawView.as_view()),
    path("packages/<int:package>/resume", views.ResumeView.as_view()),
    path("packages/<int:package>/self-check", views.SelfCheckView.as_view()),
    path("benchmarks/<slug:benchmark>/items", views.ItemsView.as_view()),
    path("benchmarks/<slug:benchmark>/items/import", views.ImportView.as_view()),
    path("items/<int:item>", views.ItemView.as_view()),
    path("items/<int:item>/skip", views.SkipView.as_view()),
    path("images/<int:image>/items", views.ImageItemsView.as_view()),
]
