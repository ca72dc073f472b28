import type { Action } from "./keys";

/** A page with a form that sends a file; null: the person may not, or something is missing. */
export interface FileFormContext {
  choose: (() => void) | null;
  send: (() => void) | null;
}

/** The keys of such a page, under its own name and texts. */
export function fileFormKeys(screen: string): readonly Action<FileFormContext>[] {
  return [
    {
      name: `${screen}.choose`,
      label: `${screen}:form.choose`,
      keys: ["o"],
      foot: true,
      isEnabled: (c) => c.choose !== null,
      perform: (c) => c.choose?.(),
    },
    {
      name: `${screen}.send`,
      label: `${screen}:form.send`,
      keys: ["Mod+Enter"],
      inText: true,
      foot: true,
      isEnabled: (c) => c.send !== null,
      perform: (c) => c.send?.(),
    },
  ];
}
