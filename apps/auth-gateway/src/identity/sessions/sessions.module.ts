import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { SessionList } from './user-sessions.service.js';
import { SessionsController } from './sessions.controller.js';
import { Sessions } from './sessions.service.js';
import { SignedInUsers } from './signed-in-users.service.js';

@Module({
  imports: [TokensModule],
  controllers: [SessionsController],
  providers: [SessionList, Sessions, SignedInUsers],
  exports: [Sessions, SignedInUsers],
})
export class SessionsModule {}
