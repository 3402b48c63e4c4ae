import { ApiProperty } from '@nestjs/swagger';
import { MinLength, ValidateBy } from 'class-validator';
import { IsProse, IsTrueOrFalse, IsWholeNumber } from '../validators.js';
import { MAX_CREDITS } from './credits.js';

const IsNotZero = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isNotZero', validator: { validate: (value) => value !== 0 } },
    { message: 'Input should be a number other than 0' },
  );

export class AdjustWalletRequest {
  /** Credits to add; a negative number takes credits. */
  @IsWholeNumber(-MAX_CREDITS, MAX_CREDITS) @IsNotZero() amount!: number;
  /**
   * Reason of the adjustment. The user sees it in the history, and it is never deleted: write
   * nothing personal.
   */
  @IsProse(500) @MinLength(1, { message: 'String should have at least 1 character' }) note!: string;
  /** True treats the credits as paid: calls that spend them earn the developer a share. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) earns: boolean = false;
}

export class AdjustWalletResponse {
  /** Id of the user. */
  user_id!: string;
  /** Id of the entry in the wallet's history. */
  transaction_id!: string;
  /** Credits that were added, or taken if negative. */
  @ApiProperty({ type: 'integer' }) amount!: number;
  /** Credits that the user can spend now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
  /** Credits that are reserved for running calls. */
  @ApiProperty({ type: 'integer' }) held!: number;
  /** Credits that the user still owes. Added credits pay this debt first. */
  @ApiProperty({ type: 'integer' }) debt!: number;
}
