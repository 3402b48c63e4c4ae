import { Module } from '@nestjs/common';
import { SignInAuditWorker } from './sign-in-audit.worker.js';

@Module({ providers: [SignInAuditWorker] })
export class SignInsModule {}
