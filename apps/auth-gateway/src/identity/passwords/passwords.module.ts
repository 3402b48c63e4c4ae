import { Module } from '@nestjs/common';
import { PasswordPolicy } from './password.policy.js';
import { Passwords } from './passwords.service.js';

/** Password policy and password hashing. */
@Module({ providers: [PasswordPolicy, Passwords], exports: [PasswordPolicy, Passwords] })
export class PasswordsModule {}
