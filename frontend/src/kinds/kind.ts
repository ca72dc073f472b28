/**
 * A kind of annotation as the browser knows it: how its content is written and how it is read. What follows from the form
 * of the content alone is in `tree.ts`. Screens ask the registry and never name a kind.
 */
import type { ComponentType } from "react";
import type { Finding, RulesOf, WorkItem, WorkRules } from "@/api/types";
import type { Size } from "@/picture/geometry";
import type { Action } from "@/ui/keys";
import type { Base } from "./base";
import type { Leaf } from "./tree";

/** Content travels as the server's JSON, in the form of the tree in `rules.content`. */
export type Content = NonNullable<WorkItem["content"]>;

export interface EditorProps {
  /** Identifies the item: another one starts with an empty undo history and the first field. */
  itemId: number;
  content: Content;
  rules: WorkRules;
  /** Findings with spans that fit the content as it is now. */
  findings: readonly Finding[];
  /** Reasons to keep what an overridable finding is about, by finding code. */
  reasons: Readonly<Record<string, string>>;
  /** Path of the field that has the focus. */
  field: string;
  onField: (path: string) => void;
  onChange: (content: Content) => void;
  onReason: (code: string, reason: string) => void;
}

export interface ReaderProps {
  content: Content;
  rules: WorkRules;
  findings?: readonly Finding[];
  /** Reasons given for overridden findings, by finding code. */
  reasons?: Readonly<Record<string, string>>;
  /** Shows only the first part and how much more there is. */
  short?: boolean;
}

export interface CheckProps extends Omit<ReaderProps, "short"> {
  /** The item's number: what is shown in random order has the same order whenever the item is shown. */
  seed: number;
  /** Whether the answer is shown. */
  isRevealed: boolean;
}

export interface RuleChipsProps {
  rules: WorkRules;
  content: Content;
  findings: readonly Finding[];
  /** Whether the findings were computed for this very content. */
  isChecked: boolean;
}

export interface GuideProps {
  rules: WorkRules;
  /** Only what people judge, on one line. */
  short?: boolean;
}

export interface FieldNameProps {
  rules: WorkRules;
  /** The path of a leaf, or of an entry of a keyed list. */
  path: string;
  /** One of the versions: in which place an entry is. */
  content?: Content | undefined;
}

export interface LeafProps {
  leaf: Leaf;
  rules: WorkRules;
}

export interface ChangesProps {
  before: Content;
  after: Content;
  rules: WorkRules;
}

/**
 * Marks on the picture. The overlay is SVG inside the picture's own pixels, at every zoom; a mark's own drawing keeps its
 * size on the screen (`scale(var(--pixel))`). Marks are parts of the content: a mark is named by the path of its field, the
 * mark whose path is `editor.field` is the selected one, and moving one changes the content, as typing does.
 */
export interface OverlayProps {
  content: Content;
  rules: WorkRules;
  /** The picture's natural size. */
  picture: Size;
  findings?: readonly Finding[] | undefined;
  /** The version before: what differs from it is marked by a sign and a colour. */
  before?: Content | undefined;
  /** Whether the answer is shown; false only where a kind has a `Check`. Marks that give it away wait for it. */
  isRevealed: boolean;
  /** Present where the marks can be moved, beside the kind's `Editor`. */
  editor?: Pick<EditorProps, "field" | "onField" | "onChange"> | undefined;
}

/** What an item's content is about, beside its rules. */
export interface About {
  rules: WorkRules;
  base: Base | null;
  /** The code of the picture's main category; null for a picture without one. */
  category: string | null;
}

export interface KindView {
  Editor: ComponentType<EditorProps>;
  Reader: ComponentType<ReaderProps>;
  /** Shows the content to someone who answers it before they see the answer; kinds without it have nothing to hide. */
  Check?: ComponentType<CheckProps>;
  /** Draws on the picture; text kinds have none. */
  Overlay?: ComponentType<OverlayProps>;
  /** The numbers of the rules, and whether the text keeps them. */
  RuleChips: ComponentType<RuleChipsProps>;
  Guide: ComponentType<GuideProps>;
  /** What people call a field, as beside it in the editor, where versions are compared. */
  FieldName: ComponentType<FieldNameProps>;
  /** The content with the fields that follow from what it is about: an editor has them before anything is typed. */
  begin?: (content: Content, about: About) => Content;
  /** The number on the picture of what an entry of the content is about; null for what has none. */
  numberOf?: (key: string, content: Content, about: About) => number | null;
  /** The keys of its editor. */
  actions?: readonly Action<never>[];
  /** Shows numbers, such as those of a box, where two versions are compared; without it they are printed. */
  Leaf?: ComponentType<LeafProps>;
  /** Whether submitting waits for a check that is under way, for a moment: no field shows what is often missing. */
  waitsForCheck?: boolean;
  /** Whether second people click on what its texts mean. */
  isClicked?: boolean;
  /** Sums up what changed between two versions, above the list of the parts that differ. */
  Changes?: ComponentType<ChangesProps>;
  /** Translation key of what to do, with `count`, the number of texts. */
  instructionKey: string;
  /** Translation key of what is missing, where a field is not a text to be filled in. */
  incompleteKey?: string;
  /** Translation key of what is missing, where nothing is in a list such as that of boxes. */
  nothingKey?: string;
}

/** The rules of one kind, which the API carries as one of several shapes. */
export function rulesOf<Kind extends WorkRules["kind"]>(rules: WorkRules, kind: Kind): RulesOf<Kind> {
  if (rules.kind !== kind) throw new Error(`rules of ${rules.kind}, not of ${kind}`);
  return rules as RulesOf<Kind>;
}
