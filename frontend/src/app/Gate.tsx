/**
 * Nothing behind this is drawn without a session. When the session ends in the middle of work, the sign-in
 * page stands in front and what was open stays mounted underneath: nothing typed is lost.
 */
import { useEffect } from "react";
import { Outlet } from "react-router";
import { useSession } from "@/api/session";
import { signals } from "@/api/signals";
import { useSignals } from "@/api/useSignals";
import { SignIn } from "@/features/session/SignIn";
import { switchLanguage } from "@/i18n/setup";
import { Loading } from "@/ui/Loading";
import { Problem } from "@/ui/Problem";
import { useQueryClient } from "@tanstack/react-query";
import { DeliveryKeeper } from "@/workspace/saving/DeliveryKeeper";
import { Banners } from "./Banners";

export function Gate() {
  const session = useSession();
  const { signedOut } = useSignals();
  const queryClient = useQueryClient();
  const language = session.data?.person.language;

  useEffect(() => {
    if (language) void switchLanguage(language);
  }, [language]);

  const entered = async () => {
    signals.signedIn();
    await queryClient.invalidateQueries();
  };

  if (!session.data) {
    if (signedOut || session.error?.status === 401) return <SignIn onSignedIn={entered} />;
    if (session.error) {
      return (
        <div style={{ padding: 40, maxWidth: 640, margin: "0 auto" }}>
          <Problem error={session.error} onRetry={() => void session.refetch()} />
        </div>
      );
    }
    return <Loading />;
  }
  return (
    <>
      <div hidden={signedOut} style={{ height: "100%" }} inert={signedOut}>
        <Banners />
        <DeliveryKeeper />
        <Outlet />
      </div>
      {signedOut && <SignIn onSignedIn={entered} again={session.data.person.username} />}
    </>
  );
}
