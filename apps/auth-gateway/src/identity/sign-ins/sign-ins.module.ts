import { Module } from '@nestjs/common';
import { SignInAudit } from './sign-in-audit.js';

/** Sign-ins on their way into the audit log. */
@Module({ providers: [SignInAudit] })
export class SignInsModule {}
