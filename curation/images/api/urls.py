"""Addresses of pictures; their files are served by ``annotation.packages.api.media``, which knows who works on them."""

from django.urls import path

from curation.images.api import tus, views

urlpatterns = [
    path("benchmarks/<slug:benchmark>/uploads", views.UploadsView.as_view()),
    path("benchmarks/<slug:benchmark>/uploads/describe", views.DescribeView.as_view()),
    path("benchmarks/<slug:benchmark>/uploads/take", views.TakeView.as_view()),
    path("uploads/<uuid:upload>", tus.UploadView.as_view()),
    path("uploads/<uuid:upload>/thumb", tus.UploadThumbView.as_view()),
    path("benchmarks/<slug:benchmark>/images", views.ImagesView.as_view()),
    path("benchmarks/<slug:benchmark>/images/counts", views.CountsView.as_view()),
    path("benchmarks/<slug:benchmark>/images/hold", views.HoldView.as_view()),
    path("benchmarks/<slug:benchmark>/images/hold/renew", views.RenewView.as_view()),
    path("benchmarks/<slug:benchmark>/images/hold/release", views.ReleaseView.as_view()),
    path("benchmarks/<slug:benchmark>/images/judge", views.JudgeView.as_view()),
    path("benchmarks/<slug:benchmark>/images/clear-personal-information", views.ClearView.as_view()),
    path("images/<int:image>", views.ImageView.as_view()),
    path("images/<int:image>/take-down", views.TakeDownView.as_view()),
    path("images/<int:image>/restore", views.RestoreView.as_view()),
]
