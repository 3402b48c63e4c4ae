import { Module } from '@nestjs/common';
import { PasswordsModule } from '../../identity/passwords/passwords.module.js';
import { SessionsModule } from '../../identity/sessions/sessions.module.js';
import { PermissionsModule } from '../permissions/permissions.module.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [PasswordsModule, PermissionsModule, SessionsModule],
  controllers: [UsersController],
  providers: [UsersService],
})
export class UsersModule {}
