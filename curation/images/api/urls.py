"""Addresses of pictures; their files are served by ``annotation.packages.api.media``, which knows who works on them."""

from django.urls import path

from curation.images.api import tus, views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/uploads", views.UploadsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/uploads/describe", views.DescribeView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/uploads/take", views.FinalizeView.as_view()),
    path("uploads/<uuid:upload_id>", tus.UploadView.as_view()),
    path("uploads/<uuid:upload_id>/thumb", tus.UploadThumbView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images", views.ImagesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/pictures.csv", views.ImageFileView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/counts", views.CountsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/hold", views.HoldView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/hold/renew", views.RenewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/hold/release", views.ReleaseView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/judge", views.JudgeView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/clear-personal-information", views.ClearView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/share", views.ShareView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/cover/hold", views.CoverHoldView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/cover/hold/renew", views.CoverRenewView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/images/cover/hold/release", views.CoverReleaseView.as_view()),
    path("images/<int:image_id>/regions", views.RegionsView.as_view()),
    path("images/<int:image_id>/cover", views.CoverView.as_view()),
    path("images/<int:image_id>", views.ImageView.as_view()),
    path("images/<int:image_id>/correct", views.CorrectView.as_view()),
    path("images/<int:image_id>/take-down", views.TakeDownView.as_view()),
    path("images/<int:image_id>/restore", views.RestoreView.as_view()),
]
