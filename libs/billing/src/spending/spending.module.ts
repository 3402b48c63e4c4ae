import { Module } from '@nestjs/common';
import { SpendingSettings } from './spending-settings.js';

/** What may be spent for users without them. */
@Module({ providers: [SpendingSettings], exports: [SpendingSettings] })
export class SpendingModule {}
