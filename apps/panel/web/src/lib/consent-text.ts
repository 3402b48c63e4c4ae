const usd = (cents: number): string => `US$${(cents / 100).toFixed(2)}`;

/** Settings of automatic top-up that the user chose. */
export interface AutoTopUpTerms {
  thresholdPct: number;
  /** Current value of the percentage, in credits. */
  thresholdTokens: number;
  rechargeTokens: number;
  rechargeCents: number;
  /** True if the user chose a certain card instead of the default card. */
  hasOwnCard: boolean;
  dailyCapCents: number;
  monthlyCapCents: number;
}

/**
 * Returns the text that the user agrees to. It is exactly the text that the gateway stores with a
 * consent (`libs/billing/src/payments/auto-topup/consent-text.ts`), so that the stored text is the
 * text the user read.
 */
export const consentText = (terms: AutoTopUpTerms): string =>
  [
    `When fewer credits are left than ${terms.thresholdPct} % of what my plan brings (${terms.thresholdTokens} with the plan of today), ${terms.rechargeTokens} credits are bought for ${usd(terms.rechargeCents)}`,
    `with ${terms.hasOwnCard ? 'the card that I chose' : 'the card that is my default at that moment'}, without asking me again; where that is too few, as many times as much at once as it takes. That is at once where fewer are left now.`,
    `No more than ${usd(terms.dailyCapCents)} a day and ${usd(terms.monthlyCapCents)} a month (UTC) are paid in this way, and no more than three times in ten minutes.`,
    'I may end this at any time.',
  ].join(' ');
