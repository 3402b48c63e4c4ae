import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';

/** The credits of a user. 1 credit is the same as 1 token: 0.1 US cent. */
export class WalletResponse {
  /** Credits that the user can spend now; reserved credits are not included. */
  @ApiProperty({ type: 'integer' }) balance!: number;
  /**
   * Unit of all amounts.
   * @example credits
   */
  currency!: string;
  /** Time of the last change of the wallet; null if it never changed. */
  updated_at!: Date | null;
  /**
   * Id of the plan.
   * @example free
   */
  plan!: string;
  /** Status of the subscription. */
  status!: string;
  /** Credits of a full wallet. Equal to `included_tokens`. */
  @ApiProperty({ type: 'integer' }) cap!: number;
  /** Credits that the plan includes per period. */
  @ApiProperty({ type: 'integer' }) included_tokens!: number;
  /** Credits that are reserved for running calls. */
  @ApiProperty({ type: 'integer' }) held!: number;
  /**
   * Credits that the user owes. While it is above 0, no new call can spend credits, and new credits
   * pay the debt first.
   */
  @ApiProperty({ type: 'integer' }) debt!: number;
}

export class WalletHistoryQuery {
  /** Maximum number of items in the answer. */
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  /** Number of items to skip. */
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

/** A change of the wallet. */
export class LedgerEntry {
  /** Sequence number of the entry in this wallet, from 1 and without gaps. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** Id of the entry, unique on the platform. */
  transaction_id!: string;
  /** Credits; negative if they were spent. */
  @ApiProperty({ type: 'integer' }) amount!: number;
  /**
   * Reason of the change.
   * @example call_charge
   */
  reason!: string;
  /** App whose call caused the change; null without an app. */
  app_id!: string | null;
  /** Function of the app whose call caused the change. */
  function!: string | null;
  /** Description for the user; null if there is none. */
  description!: string | null;
  /** Time of the change. */
  created_at!: Date;
  /** Credits of the wallet after this change, including reserved credits. */
  @ApiProperty({ type: 'integer' }) balance_after!: number;
}
