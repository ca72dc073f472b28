"""Addresses of benchmarks and their categories."""

from django.urls import path

from curation.taxonomy.api import views

urlpatterns = [
    path("protocol-presets", views.PresetsView.as_view()),
    path("protocol-presets/<str:preset>", views.PresetView.as_view()),
    path("protocol-checks", views.ProtocolCheckView.as_view()),
    path("benchmarks", views.BenchmarksView.as_view()),
    path("benchmarks/<slug:benchmark_slug>", views.BenchmarkView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/protocols", views.ProtocolsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/protocol-proposals", views.ProposalsView.as_view()),
    path("protocol-proposals/<int:proposal_id>", views.ProposalView.as_view()),
    path("protocol-proposals/<int:proposal_id>/withdraw", views.ProposalWithdrawView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/protocols/<int:version>", views.ProtocolView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/protocols/<int:version>/compare", views.ProtocolComparisonView.as_view()),
    path("category-list-checks", views.CategoryListCheckView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-lists", views.CategoryListsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/category-lists/<str:name>/<int:version>", views.CategoryListView.as_view()),
    path(
        "benchmarks/<slug:benchmark_slug>/category-lists/<str:name>/<int:version>/use",
        views.CategoryListUseView.as_view(),
    ),
]
