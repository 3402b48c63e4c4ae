import { Module } from '@nestjs/common';
import { LedgerSweeps } from './ledger-sweeps.js';
import { Ledger } from './ledger.js';
import { WalletHistory } from './wallet-history.js';
import { Wallets } from './wallets.js';

@Module({
  providers: [Ledger, LedgerSweeps, WalletHistory, Wallets],
  exports: [Ledger, LedgerSweeps, WalletHistory, Wallets],
})
export class LedgerModule {}
