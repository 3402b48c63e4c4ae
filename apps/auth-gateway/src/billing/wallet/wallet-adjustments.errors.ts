import { inCredits } from '@platform/billing';
import { AppError, ValidationFailed } from '@platform/platform';

export const WalletAdjustmentErrors = {
  takenDoNotEarn: () =>
    new ValidationFailed([{ loc: ['body', 'earns'], msg: 'Only credits that are given can earn', type: 'value_error' }]),
  /** Of an administrator who takes credits; who pays with them gets 402 `wallet.insufficient`. @param balance what can be taken. */
  tooLittle: (balance: number) =>
    new AppError(409, 'wallet.too_little', `No more than ${inCredits(balance)} can be taken.`, { details: { balance } }),
};
