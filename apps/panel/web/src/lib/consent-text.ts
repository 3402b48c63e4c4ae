const usd = (cents: number): string => `US$${(cents / 100).toFixed(2)}`;

/** What somebody chose of automatic top-ups. */
export interface AutoTopUpTerms {
  thresholdPct: number;
  /** What the percentage comes to now. */
  thresholdTokens: number;
  rechargeTokens: number;
  rechargeCents: number;
  /** Whether it is a card that they chose, and not whichever is the default one. */
  hasOwnCard: boolean;
  dailyCapCents: number;
  monthlyCapCents: number;
}

/** To the letter what the gateway keeps of a consent (`libs/billing/src/payments/auto-topup/consent-text.ts`), so that it is what was read. */
export const consentText = (terms: AutoTopUpTerms): string =>
  [
    `When fewer credits are left than ${terms.thresholdPct} % of what my plan brings (${terms.thresholdTokens} with the plan of today), ${terms.rechargeTokens} credits are bought for ${usd(terms.rechargeCents)}`,
    `with ${terms.hasOwnCard ? 'the card that I chose' : 'the card that is my default at that moment'}, without asking me again; where that is too few, as many times as much at once as it takes. That is at once where fewer are left now.`,
    `No more than ${usd(terms.dailyCapCents)} a day and ${usd(terms.monthlyCapCents)} a month (UTC) are paid in this way, and no more than three times in ten minutes.`,
    'I may end this at any time.',
  ].join(' ');
