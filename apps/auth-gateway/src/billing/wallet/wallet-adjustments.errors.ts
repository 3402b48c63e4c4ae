import { formatCredits } from '@platform/billing';
import { AppError, ValidationFailed } from '@platform/platform';

export const WalletAdjustmentErrors = {
  takenDoNotEarn: () =>
    new ValidationFailed([
      { loc: ['body', 'earns'], msg: '"earns" can be true only if "amount" is positive', type: 'value_error' },
    ]),
  /**
   * For an administrator that takes credits. Users that pay get 402 `wallet.insufficient` instead.
   * @param balance credits that can be taken.
   */
  tooLittle: (balance: number) =>
    new AppError(409, 'wallet.too_little', `No more than ${formatCredits(balance)} can be taken.`, {
      details: { balance },
    }),
};
