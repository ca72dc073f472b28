/** The signed-in person's comments on their way, one list for the whole page. */
import { call } from "@/api/client";
import type { Answer } from "@/api/request";
import { signals } from "@/api/signals";
import { OutgoingComments } from "./outgoing";

export type Comment = Answer<"comment_list">[number];

let current: { person: number; comments: OutgoingComments<Comment> } | null = null;
let stop: (() => void) | null = null;

export function outgoingOf(person: number): OutgoingComments<Comment> {
  if (current?.person === person) return current.comments;
  stop?.();
  const comments = new OutgoingComments<Comment>({
    name: `lantern.comments.${person}`,
    storage: localStorage,
    send: ({ work: { item, text, mentions }, key }) =>
      call("comment_add", { path: { id: item }, body: { text, mentions: [...mentions], client_key: key } }),
  });
  current = { person, comments };
  stop = signals.onReturn(() => void comments.flush());
  return comments;
}
