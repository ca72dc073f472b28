import type { Action, ScreenKeys } from "@/ui/keys";

export interface PeopleContext {
  search: () => void;
}

export const peopleActions: readonly Action<PeopleContext>[] = [
  { name: "people.search", label: "people:filter.search", keys: ["/"], foot: true, perform: (c) => c.search() },
];

export const screens: readonly ScreenKeys<PeopleContext>[] = [
  { screen: "people", actions: peopleActions, moments: [{ search: () => undefined }] },
];
