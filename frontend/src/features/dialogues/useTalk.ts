/** A dialogue on an open page: read whenever something is new, with signs that the page is there. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "@/api/client";
import { useLive, useLiveState } from "@/api/live/useLive";
import { queryKey } from "@/api/queries";
import { useMe } from "@/api/session";
import { signals } from "@/api/signals";
import type { Dialogue } from "@/api/types";
import { useStore } from "@/store/useStore";
import { isOutdated, isOver, withTurns } from "./talk";
import { TurnSender } from "./turnSender";
import { browserKeeper } from "./unsentText";

/** Milliseconds between looks at whether the partner is still there. */
const LOOK_MS = 30_000;
/** Milliseconds for which an event of typing counts, and between two that are sent. */
const TYPING_MS = 6_000;
const TYPING_EVERY_MS = 3_000;

const keyOf = (id: number) => queryKey("dialogue_show", { path: { id } });

/** Reads the turns that a page lacks; the whole dialogue where more has changed. */
async function readTurns(client: QueryClient, id: number): Promise<void> {
  const held = client.getQueryData<Dialogue>(keyOf(id));
  if (held === undefined) return;
  try {
    const read = await call("turn_list", { path: { id }, query: { after: held.turn_no } });
    client.setQueryData<Dialogue>(keyOf(id), (now) => now && withTurns(now, read));
    if (isOutdated(held, read)) await client.invalidateQueries({ queryKey: keyOf(id) });
  } catch {
    // The next event or turn of the clock reads it.
  }
}

/** One reading at a time; what happens meanwhile is read after it. */
function useReading(id: number): () => void {
  const client = useQueryClient();
  const state = useRef({ isReading: false, isDue: false });
  return useCallback(() => {
    const { current } = state;
    current.isDue = true;
    if (current.isReading) return;
    current.isReading = true;
    void (async () => {
      while (current.isDue) {
        current.isDue = false;
        await readTurns(client, id);
      }
      current.isReading = false;
    })();
  }, [client, id]);
}

/** Whether the partner types the turn that comes next. */
function useTyping(dialogue: Dialogue): boolean {
  const [typed, setTyped] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive("typing", dialogue.id, (no) => {
    if (no === null) return;
    setTyped(no);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTyped(null), TYPING_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return typed === dialogue.turn_no + 1 && dialogue.state === "open" && !dialogue.is_my_turn;
}

/** Where no stream of events shows that the page is there, it says so itself. */
function useSigns({ id, sign_seconds: seconds }: Dialogue, isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => void call("dialogue_sign", { path: { id }, body: { typing: false } }).catch(() => undefined), seconds * 1000);
    return () => clearInterval(timer);
  }, [id, seconds, isNeeded]);
}

/** What a finished dialogue changes on other pages. */
const AFTER_THE_LAST = ["lobby_show", "waiting_show", "team_board"];

function useSender({ id, ...dialogue }: Dialogue, read: () => void): TurnSender {
  const client = useQueryClient();
  const person = useMe().id;
  const [sender] = useState(
    () =>
      new TurnSender({
        keeper: browserKeeper(person, id),
        say: async ({ no, key, text }) => {
          try {
            const answer = await call("turn_say", { path: { id }, body: { no, text, client_key: key } });
            client.setQueryData<Dialogue>(keyOf(id), answer);
            if (isOver(answer)) for (const name of AFTER_THE_LAST) void client.invalidateQueries({ queryKey: [name] });
          } catch (error) {
            // It may have been rejected because the dialogue went on, was paused or left.
            read();
            throw error;
          }
        },
      }),
  );
  useEffect(() => {
    void sender.load();
    const end = signals.onReturn(sender.retry);
    return () => {
      end();
      sender.stop();
    };
  }, [sender]);
  // Nothing can be sent in it any more.
  const mayForget = useStore(sender, ({ isLoaded, sent }) => isLoaded && sent === null) && isOver(dialogue);
  useEffect(() => {
    if (mayForget) sender.forget();
  }, [sender, mayForget]);
  return sender;
}

/** Tells the partner that the next turn is being typed, now and then. */
function useNoteTyping({ id, is_my_turn: isMyTurn, turn_no: turnNo }: Dialogue): (text: string) => void {
  const last = useRef({ turnNo: -1, at: 0 });
  return (text) => {
    const at = performance.now();
    const isSoon = last.current.turnNo === turnNo && at - last.current.at < TYPING_EVERY_MS;
    if (!isMyTurn || text.trim() === "" || isSoon) return;
    last.current = { turnNo, at };
    void call("dialogue_sign", { path: { id }, body: { typing: true } }).catch(() => undefined);
  };
}

export function useTalk(dialogue: Dialogue) {
  const { id } = dialogue;
  const read = useReading(id);
  const isPolling = useLiveState() === "polling";
  const goesOn = !isOver(dialogue);
  useLive("dialogue", id, read);
  useSigns(dialogue, isPolling && goesOn);
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(read, LOOK_MS);
    return () => clearInterval(timer);
  }, [read, goesOn]);
  return { read, sender: useSender(dialogue, read), partnerTypes: useTyping(dialogue), noteTyping: useNoteTyping(dialogue) };
}

export type Talk = ReturnType<typeof useTalk>;
