import { Module } from '@nestjs/common';
import { LedgerSweeps } from './ledger-sweep.service.js';
import { Ledger } from './ledger.service.js';
import { WalletHistory } from './wallet-history.repository.js';
import { Wallets } from './wallets.repository.js';

@Module({
  providers: [Ledger, LedgerSweeps, WalletHistory, Wallets],
  exports: [Ledger, LedgerSweeps, WalletHistory, Wallets],
})
export class LedgerModule {}
