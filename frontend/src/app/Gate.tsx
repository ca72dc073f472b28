/**
 * Renders nothing without a session. When the session ends in the middle of work, the sign-in
 * page covers the open page, which stays mounted: nothing typed is lost. The same holds for
 * required consent.
 */
import { useEffect, useRef, type ReactNode } from "react";
import { Outlet, useMatch } from "react-router";
import { requiredConsent, useRequiredConsent } from "@/api/requiredConsent";
import { queryKey } from "@/api/queries";
import { useSession } from "@/api/session";
import { signals } from "@/api/signals";
import { useSignals } from "@/api/useSignals";
import { ConsentOverlay } from "@/features/consent/ConsentOverlay";
import { Outside } from "@/features/session/Outside";
import { SignIn } from "@/features/session/SignIn";
import { switchLanguage } from "@/i18n/setup";
import { CommentsKeeper } from "@/item/CommentsKeeper";
import { Loading } from "@/ui/Loading";
import { Problem } from "@/ui/Problem";
import { useQueryClient } from "@tanstack/react-query";
import { DeliveryKeeper } from "@/workspace/saving/DeliveryKeeper";
import { Banners } from "./Banners";

/** Milliseconds between polls of the session while the page is visible: ended roles are noticed by then. */
const SESSION_EVERY = 60_000;

export function Gate() {
  const session = useSession({ refetchInterval: SESSION_EVERY });
  const { signedOut } = useSignals();
  const { required } = useRequiredConsent();
  const queryClient = useQueryClient();
  const submitsTo = useMatch("/submit/:slug/*")?.params.slug;
  const language = session.data?.person.language;
  useRolesWatched();

  useEffect(() => {
    if (language) void switchLanguage(language);
  }, [language]);

  const entered = async () => {
    signals.signedIn();
    requiredConsent.reset();
    await queryClient.invalidateQueries();
  };

  if (!session.data) {
    if (signedOut || session.error?.status === 401) return submitsTo === undefined ? <SignIn onSignedIn={entered} /> : <Outside slug={submitsTo} onSignedIn={entered} />;
    if (session.error) {
      return (
        <div style={{ padding: 40, maxWidth: 640, margin: "0 auto" }}>
          <Problem error={session.error} onRetry={() => void session.refetch()} />
        </div>
      );
    }
    return <Loading />;
  }
  const covered = signedOut || required !== null;
  return (
    <>
      <Behind covered={covered}>
        <Banners />
        <DeliveryKeeper />
        <CommentsKeeper />
        <Outlet />
      </Behind>
      {!signedOut && required !== null && <ConsentOverlay key={required} slug={required} />}
      {signedOut && <SignIn onSignedIn={entered} again={session.data.person.username} />}
    </>
  );
}

/** The page itself; when nothing covers it any more, the focus returns to where it was. */
function Behind({ covered, children }: { covered: boolean; children: ReactNode }) {
  const page = useRef<HTMLDivElement>(null);
  const last = useRef<HTMLElement | null>(null);
  // A modal dialog makes everything outside it inert, even while it is hidden.
  useEffect(() => {
    if (!covered) return;
    const dialogs = [...(page.current?.querySelectorAll("dialog") ?? [])].filter(({ open }) => open);
    for (const dialog of dialogs) dialog.close();
    return () => {
      for (const dialog of dialogs) if (dialog.isConnected) dialog.showModal();
    };
  }, [covered]);
  useEffect(() => {
    if (!covered && last.current?.isConnected === true) last.current.focus();
  }, [covered]);
  return (
    <div
      ref={page}
      hidden={covered}
      style={{ height: "100%" }}
      inert={covered}
      onFocus={(event) => {
        last.current = event.target;
      }}
    >
      {children}
    </div>
  );
}

/** When a response shows changed roles, refetches the session, then everything on the screen. */
function useRolesWatched(): void {
  const { grantsChanged } = useSignals();
  const queryClient = useQueryClient();
  const seen = useRef(grantsChanged);
  useEffect(() => {
    if (seen.current === grantsChanged) return;
    seen.current = grantsChanged;
    const session = queryKey("session_show");
    void queryClient
      .invalidateQueries({ queryKey: session })
      .then(() => queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== session[0] }));
  }, [grantsChanged, queryClient]);
}
