import base from "./eslint.config.js";
export default [...base, {rules: {"max-lines": ["error", 400], "max-lines-per-function": ["error", {max: 120, skipBlankLines: true, skipComments: true}]}}];
