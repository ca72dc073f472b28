/** How a model on a server is called: the parameters in its record. */
interface ServerParameters {
  readonly model: string;
  readonly text_template: string;
  readonly picture_text: string;
  readonly normalise: boolean;
  readonly dimensions: number | null;
  readonly dtype: string;
  readonly dimension: number | null;
  readonly said: Readonly<Record<string, string | number>>;
}

/** The placeholder for the caption in a template. */
const TEXT = "{text}";

const DEFAULTS: ServerParameters = {
  model: "",
  text_template: TEXT,
  picture_text: "",
  normalise: true,
  dimensions: null,
  dtype: "",
  dimension: null,
  said: {},
};

/** A record's parameters, with defaults for missing ones. */
export const serverParametersIn = (parameters: unknown): ServerParameters => ({ ...DEFAULTS, ...(parameters as Partial<ServerParameters> | null) });

/** A template must contain the placeholder exactly once. */
export const hasPlaceholder = (template: string): boolean => template.split(TEXT).length === 2;
