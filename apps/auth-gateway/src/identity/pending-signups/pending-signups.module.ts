import { Module } from '@nestjs/common';
import { PendingSignupCleanup } from './pending-signup-cleanup.js';

/** Addresses that nobody has confirmed yet. */
@Module({ providers: [PendingSignupCleanup] })
export class PendingSignupsModule {}
