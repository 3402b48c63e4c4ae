import { Module } from '@nestjs/common';
import { WalletModule } from './wallet/wallet.module.js';

/** What users have, and pay. */
@Module({ imports: [WalletModule] })
export class BillingModule {}
