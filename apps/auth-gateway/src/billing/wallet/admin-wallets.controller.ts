import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdjustWalletRequest, AdjustWalletResponse } from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { Idempotent, IdempotentRequestId } from '../../kernel/idempotency/idempotent.js';
import { WalletAdjustmentsService } from './wallet-adjustments.service.js';

/** For administrators of the platform and trusted backends. */
@ApiTags('Administration')
@Controller('v1/admin/wallets')
export class AdminWalletsController {
  constructor(private readonly adjustments: WalletAdjustmentsService) {}

  /**
   * Adds credits to a user's wallet or takes credits that the user can spend. Answers 404 for an
   * unknown user, 409 `wallet.closed` for a deleted one, and 409 `wallet.too_little` if fewer
   * credits can be taken.
   */
  @Post(':user_id/adjust')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'billing-admin', money: true })
  @Idempotent()
  adjustWallet(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Body() request: AdjustWalletRequest,
    @IdempotentRequestId() idempotentRequestId: string | null,
  ): Promise<AdjustWalletResponse> {
    return this.adjustments.adjustWallet(caller, userId, request, idempotentRequestId);
  }
}
