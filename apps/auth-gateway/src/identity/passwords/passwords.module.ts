import { Module } from '@nestjs/common';
import { PasswordPolicy } from './password-policy.js';
import { Passwords } from './passwords.service.js';

/** Which passwords may be used, and how they are hashed. */
@Module({ providers: [PasswordPolicy, Passwords], exports: [PasswordPolicy, Passwords] })
export class PasswordsModule {}
