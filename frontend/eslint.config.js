import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";
import rooms from "./eslint/rooms.js";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts", "src/api/operations.ts"] },
  js.configs.recommended,
  {
    // A file fits into a head, a function on two screens; what is longer has parts with names.
    rules: {
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["**/*.js"],
    languageOptions: { globals: globals.node },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "react-hooks": hooks, lantern: { rules: { rooms } } },
    rules: {
      ...hooks.configs.recommended.rules,
      "lantern/rooms": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='window'][callee.property.name=/^(alert|confirm|prompt)$/]",
          message: "Say it in the page: a panel, a notice or an undo.",
        },
      ],
    },
  },
);
