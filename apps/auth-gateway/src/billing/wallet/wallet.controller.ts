import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerEntry, WalletHistoryQuery, WalletResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { UserWalletsService } from './user-wallets.service.js';

@ApiTags('Billing')
@Controller('v1/billing')
export class WalletController {
  constructor(private readonly reads: UserWalletsService) {}

  /** Returns the caller's credits. A caller without a wallet gets an empty one. */
  @Get('wallet')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readWallet(@CurrentUser() user: UserCaller): Promise<WalletResponse> {
    return this.reads.getWallet(user);
  }

  /** Returns the same as `/v1/billing/wallet`. */
  @Get('balance')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  readBalance(@CurrentUser() user: UserCaller): Promise<WalletResponse> {
    return this.reads.getWallet(user);
  }

  /** Lists the bookings of the caller's wallet, newest first. */
  @Get('wallet/history')
  @Access('bearerOrActingUser', { keyScope: 'billing:read', permission: 'billing' })
  listWalletHistory(@CurrentUser() user: UserCaller, @Query() query: WalletHistoryQuery): Promise<LedgerEntry[]> {
    return this.reads.listWalletHistory(user, query);
  }
}
