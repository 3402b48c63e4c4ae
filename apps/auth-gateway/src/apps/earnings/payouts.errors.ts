import { formatCredits } from '@platform/billing';
import type { PayoutStatus } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';
import type { DeveloperTier } from '../developers/developer.entity.js';

export const PayoutErrors = {
  amountRequired: () =>
    new ValidationFailed([{ loc: ['body', 'amount_tokens'], msg: 'Field required', type: 'missing' }]),
  amountsDiffer: () =>
    new ValidationFailed([
      { loc: ['body', 'amount'], msg: 'Input should be the same as amount_tokens', type: 'value_error' },
    ]),
  notInTier: (tier: DeveloperTier) =>
    new AppError(
      403,
      'payout.not_in_tier',
      `The tier ${tier} has no payouts. Your earnings stay yours: move to a higher tier to have them paid out.`,
    ),
  /** @param available credits. */
  tooMuch: (available: number) =>
    new AppError(400, 'payout.too_much', `No more than ${formatCredits(available)} can be paid out now.`, {
      details: { available },
    }),
  /** @param kept payout method of the saved account. */
  otherMethod: (kept: string) =>
    new AppError(
      409,
      'payout.other_method',
      `Payouts go to your saved account (${kept}). Omit payout_method, or change the account first: PUT /v1/developer/payout-destination.`,
      { details: { method: kept } },
    ),
  notFound: () => new AppError(404, 'payout.not_found', 'There is no such payout.'),
  wrongStatus: (status: PayoutStatus) =>
    new AppError(409, 'payout.wrong_status', `The payout is ${status}, so this cannot be done.`, {
      details: { status },
    }),
  /** @param debt credits. */
  inDebt: (debt: number) =>
    new AppError(
      409,
      'payout.debt',
      `The developer owes the platform ${formatCredits(debt)}, so the payout cannot be approved. Reject it to pay the debt with its credits, or wait until it is paid.`,
      { details: { debt } },
    ),
  /** For administrators that delete the account of a user. */
  userHasOpen: (ids: readonly number[]) =>
    new AppError(409, 'user.payout_open', 'This user has an open payout. Reject it or mark it as paid first.', {
      details: { payout_ids: ids },
    }),
};
