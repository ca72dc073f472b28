/** The kind of items that each suite of runs reads; tests/evaluation/suites/test_rules.py compares it with the server's. */
export const KIND_OF_SUITE: Readonly<Record<string, string>> = { retrieval: "captions" };
