import { Module } from '@nestjs/common';
import { LedgerSweepService } from './ledger-sweep.service.js';
import { LedgerService } from './ledger.service.js';
import { WalletHistoryRepository } from './wallet-history.repository.js';
import { WalletsRepository } from './wallets.repository.js';

@Module({
  providers: [LedgerService, LedgerSweepService, WalletHistoryRepository, WalletsRepository],
  exports: [LedgerService, LedgerSweepService, WalletHistoryRepository, WalletsRepository],
})
export class LedgerModule {}
