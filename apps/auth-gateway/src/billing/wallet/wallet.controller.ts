import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerEntry, WalletHistoryQuery, WalletResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { WalletReads } from './wallet-reads.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class WalletController {
  constructor(private readonly reads: WalletReads) {}

  /** What the caller has to spend. Who has no wallet yet has nothing in it. */
  @Get('wallet')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readWallet(@CurrentUser() user: UserCaller): Promise<WalletResponse> {
    return this.reads.wallet(user);
  }

  /** The same as `/v1/billing/wallet`. */
  @Get('balance')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readBalance(@CurrentUser() user: UserCaller): Promise<WalletResponse> {
    return this.reads.wallet(user);
  }

  /** What moved the caller's credits, the newest first. */
  @Get('wallet/history')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listWalletHistory(@CurrentUser() user: UserCaller, @Query() query: WalletHistoryQuery): Promise<LedgerEntry[]> {
    return this.reads.history(user, query);
  }
}
