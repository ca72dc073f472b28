/** Keeps finished work moving while any page of the application is open. Mounted once, behind the sign-in. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OperationId } from "@/api/operations";
import { useMe } from "@/api/session";
import { deliveryOf } from "./delivery";

/** Answers that the delivery of a text changes. */
const CHANGED: readonly OperationId[] = ["waiting_show", "package_list", "package_show", "package_sheet", "team_board", "peer_item_show"];

export function DeliveryKeeper() {
  const person = useMe();
  const queries = useQueryClient();
  useEffect(() => {
    const delivery = deliveryOf(person.id);
    delivery.start();
    const unsubscribe = delivery.onDelivered(() => {
      for (const name of CHANGED) void queries.invalidateQueries({ queryKey: [name] });
    });
    const warn = (event: BeforeUnloadEvent) => {
      if (delivery.hasUnsent()) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      unsubscribe();
      window.removeEventListener("beforeunload", warn);
    };
  }, [person.id, queries]);
  return null;
}
