import { Module } from '@nestjs/common';
import { PendingSignupLifetimes } from './pending-signup-cleanup.js';

/** Addresses that nobody has confirmed yet. */
@Module({ providers: [PendingSignupLifetimes] })
export class PendingSignupsModule {}
