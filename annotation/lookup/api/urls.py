"""The address of finding one thing in a benchmark."""

from django.urls import path

from annotation.lookup.api import views

urlpatterns = [path("benchmarks/<slug:benchmark_slug>/find", views.FindView.as_view())]
