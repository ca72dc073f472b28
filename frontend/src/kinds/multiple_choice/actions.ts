/** What a person can do in the editor of a question in two languages. */
import type { Action, ScreenKeys } from "@/ui/keys";

export interface MultipleChoiceContext {
  /** Whether the field with the focus has a text in another language. */
  hasOtherSide: boolean;
  switchLanguage: () => void;
  /** Puts generic nouns in the place of concepts; null where the question names none. */
  replaceConcepts: (() => void) | null;
}

export const multipleChoiceActions: readonly Action<MultipleChoiceContext>[] = [
  {
    name: "multipleChoice.switchLanguage",
    label: "kinds:multiple_choice.switchLanguage",
    keys: ["Alt+l"],
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.hasOtherSide,
    perform: (c) => c.switchLanguage(),
  },
  {
    name: "multipleChoice.replaceConcepts",
    label: "kinds:concepts.replace",
    keys: ["Alt+r"],
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.replaceConcepts !== null,
    perform: (c) => c.replaceConcepts?.(),
  },
];

export const screens: readonly ScreenKeys<MultipleChoiceContext>[] = [
  {
    screen: "kinds.multipleChoice",
    actions: multipleChoiceActions,
    moments: [{ hasOtherSide: true, switchLanguage: () => undefined, replaceConcepts: () => undefined }],
  },
];
