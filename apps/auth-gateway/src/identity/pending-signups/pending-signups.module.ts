import { Module } from '@nestjs/common';
import { PendingSignupCleanupService } from './pending-signup-cleanup.service.js';

/** Signups that wait for the confirmation of their address. */
@Module({ providers: [PendingSignupCleanupService] })
export class PendingSignupsModule {}
