import { Module } from '@nestjs/common';
import { SignInAudit } from './sign-in-audit.worker.js';

@Module({ providers: [SignInAudit] })
export class SignInsModule {}
