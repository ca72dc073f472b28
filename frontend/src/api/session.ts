/** Who is signed in and what they may do: the only place that features read permissions from. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Language } from "@/i18n/languages";
import { call, send } from "./client";
import { requiredConsent } from "./requiredConsent";
import { useRead } from "./queries";
import { signals } from "./signals";
import type { Session, SessionBenchmark } from "./types";

export function useSession({ refetchInterval }: { refetchInterval?: number } = {}) {
  return useRead("session_show", {}, { staleTime: 60_000, ...(refetchInterval === undefined ? {} : { refetchInterval }) });
}

/** The signed-in person; only for screens behind the sign-in gate. */
export function useMe(): Session["person"] {
  const { data } = useSession();
  if (!data) throw new Error("useMe stands outside the sign-in gate");
  return data.person;
}

export function useSessionBenchmark(slug: string): SessionBenchmark | undefined {
  return useSession().data?.benchmarks.find((benchmark) => benchmark.slug === slug);
}

/** Whether the person's roles in the benchmark cover the operation. The server decides again at every call. */
export function useMay(slug: string): (operation: string) => boolean {
  const operations = useSessionBenchmark(slug)?.operations;
  return useCallback((operation) => operations?.includes(operation) ?? false, [operations]);
}

export async function signIn(username: string, password: string): Promise<void> {
  // Sets the CSRF cookie on a browser that has none yet.
  await send("GET", "/_allauth/browser/v1/config");
  await send("POST", "/_allauth/browser/v1/auth/login", { username, password });
  signals.signedIn();
}

/** After signing in: the language of the sign-in page becomes that of an account that has chosen none yet. */
export async function keepLanguage(language: Language): Promise<void> {
  try {
    const { person } = await call("session_show", {});
    if (!person.language_chosen) await call("session_update", { body: { language } });
  } catch {
    // The person is signed in all the same; the next sign-in tries again.
  }
}

/** allauth answers 401 to a successful sign-out, because the session no longer exists. */
export async function signOut(): Promise<void> {
  await send("DELETE", "/_allauth/browser/v1/auth/session").catch((error: unknown) => {
    if (!(typeof error === "object" && error !== null && "status" in error && error.status === 401)) throw error;
  });
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await signOut();
    client.clear();
    requiredConsent.reset();
    signals.signedOut();
  }, [client]);
}
