import { IsNotBlank } from '../developer/public-texts.js';
import { ActingUserBody } from '../acting-user-body.dto.js';
import { IsLine, IsPassword, IsProse } from '../validators.js';

export class UpdatePayoutDestinationRequest extends ActingUserBody {
  /**
   * Way of payment.
   * @example bank transfer
   */
  @IsLine(50) @IsNotBlank() method!: string;
  /**
   * Account to which your earnings are paid. It is encrypted in the database.
   * @example DE89 3704 0044 0532 0130 00, Ada Lovelace
   */
  @IsProse(500) @IsNotBlank() details!: string;
  /** Current password of the user, as a confirmation. */
  @IsPassword() current_password!: string;
}

/** The account for payouts. All fields are null if the developer has set no account. */
export class PayoutDestinationResponse {
  /** Payment method. */
  method!: string | null;
  /** Account to which earnings are paid. */
  details!: string | null;
  /** Time of the last change of the account. */
  changed_at!: Date | null;
}
