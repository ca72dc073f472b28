export { Markdown } from "./Markdown";
