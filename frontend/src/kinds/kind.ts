/**
 * A kind of annotation as the browser knows it: how its content is written, how it is read, and
 * how two versions of it are put side by side. Screens ask the registry and never name a kind.
 */
import type { ComponentType } from "react";
import type { Finding, WorkItem, WorkRules } from "@/api/types";

/** Content travels as the server's JSON; each kind narrows it for itself. */
export type Content = NonNullable<WorkItem["content"]>;

export interface EditorProps {
  /** Identifies the item: another one starts with an empty undo history and the first field. */
  itemId: number;
  content: Content;
  /** Language of the content, for glyphs and for the input method: a BCP 47 tag. */
  lang: string;
  rules: WorkRules;
  /** Findings with spans that fit the content as it is now. */
  findings: readonly Finding[];
  /** Reasons to keep what an overridable finding is about, by finding code. */
  reasons: Readonly<Record<string, string>>;
  /** Index of the field that has the focus. */
  field: number;
  onField: (field: number) => void;
  onChange: (content: Content) => void;
  onReason: (code: string, reason: string) => void;
}

export interface ReaderProps {
  content: Content;
  lang: string;
  findings?: readonly Finding[];
  /** Reasons given for overridden findings, by finding code. */
  reasons?: Readonly<Record<string, string>>;
  /** Shows only the first part and how much more there is. */
  short?: boolean;
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

export interface KindView {
  /** Content with nothing in it yet. */
  empty: (rules: WorkRules) => Content;
  /** Number of fields the keys walk through. */
  fields: (content: Content) => number;
  /** Index of the first field that has nothing in it, or null. Completeness, not a rule about text. */
  firstEmpty: (content: Content) => number | null;
  /** Index of the field a finding's path names, or null when it concerns the whole. */
  fieldOf: (path: string) => number | null;
  /** Findings of an earlier text, with their marks carried over to the present text. */
  carry: (findings: readonly Finding[], before: Content, after: Content) => Finding[];
  /** The content's comparable parts, in order, and back again. */
  parts: (content: Content) => string[];
  fromParts: (parts: readonly string[]) => Content;
  Editor: ComponentType<EditorProps>;
  Reader: ComponentType<ReaderProps>;
  /** The numbers of the rules, and whether the text keeps them. */
  RuleChips: ComponentType<RuleChipsProps>;
  Guide: ComponentType<GuideProps>;
  /** Translation key of what to do, with `count`, the number of texts. */
  instructionKey: string;
}
