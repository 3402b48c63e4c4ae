import { Module } from '@nestjs/common';
import { Ledger } from './ledger.js';
import { WalletHistory } from './wallet-history.js';
import { Wallets } from './wallets.js';

/** Moves and reads credits. */
@Module({ providers: [Ledger, WalletHistory, Wallets], exports: [Ledger, WalletHistory, Wallets] })
export class LedgerModule {}
