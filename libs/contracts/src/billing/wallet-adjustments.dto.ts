import { ApiProperty } from '@nestjs/swagger';
import { MinLength, ValidateBy } from 'class-validator';
import { IsProse, IsTrueOrFalse, IsWholeNumber } from '../validators.js';
import { MAX_CREDITS } from './credits.js';

const IsNotZero = (): PropertyDecorator =>
  ValidateBy({ name: 'isNotZero', validator: { validate: (value) => value !== 0 } }, { message: 'Input should not be 0' });

export class AdjustWalletRequest {
  /** Credits to give, or, below 0, to take. */
  @IsWholeNumber(-MAX_CREDITS, MAX_CREDITS) @IsNotZero() amount!: number;
  /** Why. The user reads it in their history, and it is kept for ever: nothing personal. */
  @IsProse(500) @MinLength(1, { message: 'String should have at least 1 character' }) note!: string;
  /** Given as if they were paid for: developers earn a share when they are spent. */
  @IsTrueOrFalse() @ApiProperty({ required: false, default: false }) earns: boolean = false;
}

export class AdjustWalletResponse {
  user_id!: string;
  /** Of the entry in the history. */
  transaction_id!: string;
  @ApiProperty({ type: 'integer' }) amount!: number;
  /** Credits that can be spent now. */
  @ApiProperty({ type: 'integer' }) balance!: number;
  /** Credits that are promised to calls under way. */
  @ApiProperty({ type: 'integer' }) held!: number;
  /** Credits that are owed, of which what was given has paid some. */
  @ApiProperty({ type: 'integer' }) debt!: number;
}
