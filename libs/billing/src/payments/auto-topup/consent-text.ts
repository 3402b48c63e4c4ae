import type { AutoTopUpChoice } from './auto-topup-settings.service.js';

const usd = (cents: number): string => `US$${(cents / 100).toFixed(2)}`;

/** Text of the consent. It is stored with the consent. */
export function consentText(
  { thresholdPct, rechargeTokens, rechargeCents, paymentMethodId, dailyCapCents, monthlyCapCents }: AutoTopUpChoice,
  thresholdTokens: number,
): string {
  const card = paymentMethodId === null ? 'the card that is my default at that moment' : 'the card that I chose';
  return [
    `When fewer credits are left than ${thresholdPct} % of what my plan brings (${thresholdTokens} with the plan of today), ${rechargeTokens} credits are bought for ${usd(rechargeCents)}`,
    `with ${card}, without asking me again; where that is too few, as many times as much at once as it takes. That is at once where fewer are left now.`,
    `No more than ${usd(dailyCapCents)} a day and ${usd(monthlyCapCents)} a month (UTC) are paid in this way, and no more than three times in ten minutes.`,
    'I may end this at any time.',
  ].join(' ');
}
