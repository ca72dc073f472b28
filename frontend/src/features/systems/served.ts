/** How a model on a server is asked, as its record keeps it. */
export interface Served {
  readonly model: string;
  readonly text_template: string;
  readonly picture_text: string;
  readonly normalise: boolean;
  readonly dimensions: number | null;
  readonly dtype: string;
  readonly dimension: number | null;
  readonly said: Readonly<Record<string, string | number>>;
}

/** Where the caption goes in a template. */
export const TEXT = "{text}";

const NEW: Served = {
  model: "",
  text_template: TEXT,
  picture_text: "",
  normalise: true,
  dimensions: null,
  dtype: "",
  dimension: null,
  said: {},
};

/** A record's parameters; what it does not hold yet is as a new one has it. */
export const servedIn = (parameters: unknown): Served => ({ ...NEW, ...(parameters as Partial<Served> | null) });

/** A template holds the caption's place once. */
export const holdsText = (template: string): boolean => template.split(TEXT).length === 2;
