"""Addresses of mail."""

from django.urls import path

from curation.mail.api import views

urlpatterns = [
    path("session/mail", views.MailboxView.as_view()),
    path("session/mail/address", views.AddressView.as_view()),
    path("session/mail/address/remove", views.AddressRemoveView.as_view()),
    path("mail/stop", views.MailStopView.as_view()),
    path("mail/confirm", views.AddressConfirmView.as_view()),
]
