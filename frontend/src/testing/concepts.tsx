/** The editor of a choice question with the concepts of its picture, and what a model drafted about them. */
import { useState } from "react";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";
import type { Finding, RulesOf } from "@/api/types";
import type { Content } from "@/kinds/kind";
import { multipleChoice } from "@/kinds/multiple_choice/view";
import { PictureCategory } from "@/kinds/PictureCategory";
import { choiceTree, text } from "@/testing/content";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { useKeyListener } from "@/ui/keys/useActions";

export const rules: RulesOf<"multiple_choice"> = {
  kind: "multiple_choice",
  content: choiceTree(2, [], text(), text({ lang: "en", language: "translation" })),
  options: 2,
  explanation: false,
  drafting: null,
  blind_trials: null,
  concept_in_question: "forbidden",
  flags: [],
  human_checks: [],
  review_reasons: [],
  skip_reasons: [],
};
export const both = (local: string, translated: string) => ({ local, translated });
export const written: Content = {
  category: "",
  question: both("朱雀守护哪里？", "What does the Vermilion Bird guard?"),
  options: [both("南", "South"), both("北", "North")],
};
export const bird = {
  ...{ id: 7, local: "朱雀", translated: "Vermilion Bird", aliases: ["南方之神"], noun_local: "神兽", noun_translated: "mythical creature" },
  ...{ explanation: "四象之一", mine: true, created_at: "2026-11-28T09:00:00Z", available_actions: ["concept_retire"] },
};
export const listed = (concepts: unknown[], available_actions = ["concept_add"]) => ({ body: { concepts, available_actions } });

interface DeskProps {
  findings: Finding[];
  of: RulesOf<"multiple_choice">;
  onChange: (content: Content) => void;
}

function Desk({ findings, of, onChange }: DeskProps) {
  const [content, setContent] = useState(written);
  const [field, setField] = useState("question.local");
  const [itemId, setItemId] = useState(1);
  useKeyListener();
  const change = (next: Content) => {
    setContent(next);
    onChange(next);
  };
  const editor = { itemId, content, rules: of, reasons: {}, field, onField: setField, onReason: vi.fn() };
  return (
    <PictureCategory of={{ image: { id: 40, category: null } }}>
      <multipleChoice.Editor {...editor} findings={findings} onChange={change} />
      <button type="button" aria-label="tea" data-testid="choose-tea" onClick={() => setContent({ ...content, category: "tea" })} />
      <button type="button" aria-label="next" data-testid="open-next" onClick={() => setItemId(2)} />
    </PictureCategory>
  );
}

export async function open(replies: Parameters<typeof serve>[0], findings: Finding[] = [], of = rules) {
  const server = serve(replies);
  const onChange = vi.fn<(content: Content) => void>();
  await renderScreen(<Desk findings={findings} of={of} onChange={onChange} />);
  const sent = () => server.asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
  return { server, sent, onChange, keys: userEvent.setup({ delay: null }) };
}

/** Holds back the answers to writes until they are released. */
export function holdWrites() {
  const answers: (() => void)[] = [];
  const served = globalThis.fetch;
  const held: typeof fetch = async (address, init) => {
    if (init?.method === "POST") await new Promise<void>((resolve) => answers.push(resolve));
    return served(address, init);
  };
  vi.stubGlobal("fetch", vi.fn(held));
  return () => answers.splice(0).forEach((release) => release());
}

export const drafted: RulesOf<"multiple_choice"> = { ...rules, drafting: { model: "m", prompt: "tcc-draft", candidates_minimum: 3 } };
export const candidate = (no: number, changes = {}) => ({
  no,
  content: {
    question: both(`第${String(no)}种神兽守护哪里？`, `What does creature ${String(no)} guard?`),
    options: [both("南方", "South"), both("北方", "North")],
    explanation: both("它守护南方。", "It guards the south."),
  },
  ...{ fate: null, reason: null, item: null, item_id: null },
  ...changes,
});
export const drafting = (changes = {}) => ({
  ...{ id: 5, concept: "朱雀", state: "done", error_code: null, error_params: {}, limited_until: null, mine: true },
  ...{ created_at: "2026-11-28T09:00:00Z", candidates: [candidate(0), candidate(1)] },
  ...changes,
});
export const draftings = (rows: unknown[], worker_alive = true) => ({
  body: { draftings: rows, worker_alive, available_actions: ["drafting_request", "candidate_use", "candidate_discard"] },
});
export const CONCEPTS = { "GET /api/v1/images/40/concepts": listed([bird]) };
export const DRAFTS = "GET /api/v1/images/40/draftings";
