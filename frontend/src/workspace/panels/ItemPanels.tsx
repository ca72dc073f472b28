/** What stands with the fields of the open item beside the kind's own rules: guidelines, leaving it out, comments. */
import type { ComponentType } from "react";
import type { Package } from "@/api/types";
import type { QueuedItem } from "../queue/workQueue";

/** The guideline in force for the package's kind, and whether this person has acknowledged that very version. */
export interface WorkGuideline {
  readonly version: number;
  readonly acknowledged: boolean;
}

export interface ItemPanelsProps {
  slug: string;
  package: Package;
  item: QueuedItem;
  /** Null where the kind has no guideline. */
  guideline: WorkGuideline | null;
  /** Language of the content: a BCP 47 tag. */
  lang: string;
  /** The person has acknowledged this version: hand-ins carry it from now on, and those refused for want of it go out. */
  onAcknowledged: (version: number) => void;
  /** The server has taken the item as left out: its draft is dropped and the next item opens. */
  onSkipped: () => void;
  /** The server's newer knowledge of the open item, e.g. how many comments it has. */
  onAmended: (change: Partial<QueuedItem>) => void;
}

export const ItemPanels: ComponentType<ItemPanelsProps> = () => null;
