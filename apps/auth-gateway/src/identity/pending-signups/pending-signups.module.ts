import { Module } from '@nestjs/common';
import { PendingSignupCleanup } from './pending-signup-cleanup.service.js';

/** Signups that wait for the confirmation of their address. */
@Module({ providers: [PendingSignupCleanup] })
export class PendingSignupsModule {}
