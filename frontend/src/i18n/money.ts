/** Amounts of money as people read them. */

/** An amount with its currency; nothing is nothing in every currency. */
export function money(amount: string, currency: string | null | undefined): string {
  return !currency || amount === "0" ? amount : `${amount} ${currency}`;
}
