import { Module } from '@nestjs/common';
import { PasswordPolicy } from './password.policy.js';
import { PasswordsService } from './passwords.service.js';

/** Password policy and password hashing. */
@Module({ providers: [PasswordPolicy, PasswordsService], exports: [PasswordPolicy, PasswordsService] })
export class PasswordsModule {}
