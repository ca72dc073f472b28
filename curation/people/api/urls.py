"""Addresses of people."""

from django.urls import path

from curation.people.api import links, own, views

urlpatterns = [
    path("session", views.SessionView.as_view()),
    path("demo-log-ins", views.DemoLogInsView.as_view()),
    path("tokens", own.TokensView.as_view()),
    path("tokens/<int:token>/revoke", own.TokenRevokeView.as_view()),
    path("notices", own.NoticesView.as_view()),
    path("notices/read", own.NoticesReadView.as_view()),
    path("invitations/read", links.InvitationReadView.as_view()),
    path("invitations/accept", links.InvitationAcceptView.as_view()),
    path("invitations/<int:invitation>/revoke", links.InvitationRevokeView.as_view()),
    path("password-links/use", links.PasswordSetView.as_view()),
    path("people/<int:person>/close", views.AccountCloseView.as_view()),
    path("people/<int:person>/open", views.AccountOpenView.as_view()),
    path("role-grants/<int:grant>/end", views.RoleEndView.as_view()),
    path("teams/<int:team>", views.TeamView.as_view()),
    path("teams/<int:team>/close", views.TeamCloseView.as_view()),
    path("benchmarks/<slug:benchmark>/people", views.PeopleView.as_view()),
    path("benchmarks/<slug:benchmark>/people/<int:person>", views.PersonView.as_view()),
    path("benchmarks/<slug:benchmark>/people/<int:person>/roles", views.RolesView.as_view()),
    path("benchmarks/<slug:benchmark>/people/<int:person>/password-link", links.PasswordLinkView.as_view()),
    path("benchmarks/<slug:benchmark>/teams", views.TeamsView.as_view()),
    path("benchmarks/<slug:benchmark>/invitations", links.InvitationsView.as_view()),
    path("benchmarks/<slug:benchmark>/consent", own.ConsentView.as_view()),
    path("benchmarks/<slug:benchmark>/consent/withdraw", own.ConsentWithdrawView.as_view()),
    path("benchmarks/<slug:benchmark>/audit", views.AuditView.as_view()),
    path("benchmarks/<slug:benchmark>/audit.csv", views.AuditFileView.as_view()),
    path("jobs/<int:job_id>", views.JobView.as_view()),
]
