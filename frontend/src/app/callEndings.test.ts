import i18next, { type TFunction } from "i18next";
import { expect, test } from "vitest";
import enCalls from "@/locales/en/calls.json";
import enErrors from "@/locales/en/errors.json";
import hansCalls from "@/locales/zh-Hans/calls.json";
import hansErrors from "@/locales/zh-Hans/errors.json";
import hantCalls from "@/locales/zh-Hant/calls.json";
import hantErrors from "@/locales/zh-Hant/errors.json";
import { endingText } from "@/features/calls/states";

/** Every code that the ledger gives a call without a reply. */
const CODES = [
  ...["http_500", "call_limited", "call_not_connected", "call_redirected", "call_key_rejected", "call_in_doubt", "call_timed_out"],
  ...["call_reply_too_large", "call_reply_unreadable", "call_reply_malformed", "holder_expired", "content_filter"],
];

async function translator(language: string, calls: object, errors: object): Promise<TFunction> {
  const own = i18next.createInstance();
  await own.init({ lng: language, resources: { [language]: { calls, errors } } });
  return own.t;
}

test.each([
  ["en", enCalls, enErrors],
  ["zh-Hans", hansCalls, hansErrors],
  ["zh-Hant", hantCalls, hantErrors],
])("each ending of a call has a sentence of its own in %s", async (language, calls, errors) => {
  const t = await translator(language, calls, errors);
  const sentences = CODES.map((code) => endingText(t, { code, server: "big" }));
  expect(new Set(sentences).size).toBe(CODES.length);
  for (const sentence of sentences) expect(sentence).not.toMatch(/\{\{|errors:|calls:/);
  expect(sentences[0]).toContain("500");
  expect(endingText(t, { code: "", server: "big" })).toBe("");
});
