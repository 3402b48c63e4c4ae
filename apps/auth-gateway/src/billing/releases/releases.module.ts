import { Module } from '@nestjs/common';
import { MoneyReleaseGuard } from './releases-money.js';

/** Who may begin a payment. Routes with `@ReleasesMoney` have the guard by that alone: Nest makes one for each module with such routes. */
@Module({ providers: [MoneyReleaseGuard], exports: [MoneyReleaseGuard] })
export class ReleasesModule {}
