"""Addresses of releases."""

from django.urls import path

from annotation.releases.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark_slug>/releases", views.ReleasesView.as_view()),
    path("releases/<int:release_id>", views.ReleaseView.as_view()),
    path("releases/<int:release_id>/check", views.CheckView.as_view()),
    path("releases/<int:release_id>/reopen", views.ReopenView.as_view()),
    path("releases/<int:release_id>/freeze", views.FreezeView.as_view()),
    path("releases/<int:release_id>/write", views.WriteView.as_view()),
    path("releases/<int:release_id>/publish", views.PublishView.as_view()),
    path("releases/<int:release_id>/withdraw", views.WithdrawView.as_view()),
    path("releases/<int:release_id>/gates.csv", views.GatesView.as_view()),
    path("releases/<int:release_id>/changes", views.ChangesView.as_view()),
    path("releases/<int:release_id>/files/<str:name>", views.FileView.as_view()),
    path("releases/<int:release_id>/keys/<str:name>", views.KeyFileView.as_view()),
    path("releases/<int:release_id>/archive.zip", views.ArchiveView.as_view()),
    path("images/<int:image_id>/releases", views.ImageReleasesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/errata", views.ErrataView.as_view()),
    path("errata/<int:erratum_id>/confirm", views.ConfirmErratumView.as_view()),
    path("errata/<int:erratum_id>/reject", views.RejectErratumView.as_view()),
    path("errata/<int:erratum_id>/withdraw", views.WithdrawErratumView.as_view()),
]
