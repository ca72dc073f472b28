/** The tokens that Ant Design must know as values, because it derives shades from them. tokens.test.ts holds them to tokens.css. */
export const KIT_COLOURS = {
  light: {
    accent: "#9e2a2b",
    ink: "#1b1f24",
    ink2: "#4d555e",
    ink3: "#656d76",
    line: "#e0e4e8",
    line2: "#c3c9d0",
    ground: "#f6f7f9",
    paper: "#ffffff",
  },
  dark: {
    accent: "#e5787a",
    ink: "#e6e9ed",
    ink2: "#a9b2bd",
    ink3: "#8b95a1",
    line: "#2c323a",
    line2: "#434b55",
    ground: "#15181c",
    paper: "#1b1f25",
  },
} as const;
