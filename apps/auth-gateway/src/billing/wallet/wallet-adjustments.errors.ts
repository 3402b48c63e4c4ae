import { AppError, ValidationFailed } from '@platform/platform';

export const WalletAdjustmentErrors = {
  takenDoNotEarn: () =>
    new ValidationFailed([{ loc: ['body', 'earns'], msg: 'Only credits that are given can earn', type: 'value_error' }]),
  /** @param balance what can be taken. */
  insufficient: (balance: number) =>
    new AppError(409, 'wallet.insufficient', `No more than ${balance} credits can be taken.`, { details: { balance } }),
};
