/** The accepted work that a content rests on, for kinds whose contents are about that of another kind. */
import { createContext } from "react";
import type { PeerItem } from "@/api/types";

export type Base = NonNullable<PeerItem["base"]>;

/** Null where a content rests on the picture alone, or the page does not know the base. */
export const BaseContext = createContext<Base | null>(null);
