import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { UserSessionsService } from './user-sessions.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignedInUsersService } from './signed-in-users.service.js';

@Module({
  imports: [TokensModule],
  controllers: [SessionsController],
  providers: [UserSessionsService, SessionsService, SignedInUsersService],
  exports: [SessionsService, SignedInUsersService],
})
export class SessionsModule {}
