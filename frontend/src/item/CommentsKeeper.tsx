/** Sends comments that an earlier visit left behind. Mounted once, behind the sign-in. */
import { useEffect } from "react";
import { useMe } from "@/api/session";
import { outgoingOf } from "./outgoingOf";

export function CommentsKeeper() {
  const { id } = useMe();
  useEffect(() => void outgoingOf(id).flush(), [id]);
  return null;
}
