import { ApiProperty } from '@nestjs/swagger';
import { IsQueryInteger } from '../validators.js';

/** What somebody has to spend. A credit is the same as a token: 0.1 US cent. */
export class WalletResponse {
  /** Credits that can be spent now, without those that are held. */
  @ApiProperty({ type: 'integer' }) balance!: number;
  /** @example credits */
  currency!: string;
  /** When the wallet changed last; null where there is none yet. */
  updated_at!: Date | null;
  /** @example free */
  plan!: string;
  /** Of the subscription. */
  status!: string;
  /** How many credits count as a full wallet. */
  @ApiProperty({ type: 'integer' }) cap!: number;
  /** Credits that the plan gives in a period. */
  @ApiProperty({ type: 'integer' }) included_tokens!: number;
  /** Credits that are promised to calls under way. */
  @ApiProperty({ type: 'integer' }) held!: number;
  /** Credits that are owed. While there are some, nothing new can be spent, and what comes in pays them first. */
  @ApiProperty({ type: 'integer' }) debt!: number;
}

export class WalletHistoryQuery {
  @IsQueryInteger({ minimum: 1, maximum: 200, default: 50 }) limit: number = 50;
  @IsQueryInteger({ minimum: 0, maximum: 999_999_999_999, default: 0 }) offset: number = 0;
}

/** A movement of credits. */
export class LedgerEntry {
  /** Counts the entries of the wallet, from 1 and without gaps. */
  @ApiProperty({ type: 'integer' }) id!: number;
  /** Unique on the platform. */
  transaction_id!: string;
  /** Credits; negative for what was spent. */
  @ApiProperty({ type: 'integer' }) amount!: number;
  /** @example call_charge */
  reason!: string;
  app_id!: string | null;
  /** Of the app. */
  function!: string | null;
  description!: string | null;
  created_at!: Date;
  /** Credits of the wallet with this movement, those that are held included. */
  @ApiProperty({ type: 'integer' }) balance_after!: number;
}
