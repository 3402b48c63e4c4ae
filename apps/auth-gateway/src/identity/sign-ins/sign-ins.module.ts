import { Module } from '@nestjs/common';
import { SignInAudit } from './sign-in-audit.js';

@Module({ providers: [SignInAudit] })
export class SignInsModule {}
