import { Module } from '@nestjs/common';
import { Ledger } from './ledger.js';
import { Wallets } from './wallets.js';

/** Moves and reads credits. */
@Module({ providers: [Ledger, Wallets], exports: [Ledger, Wallets] })
export class LedgerModule {}
