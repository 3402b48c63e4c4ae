import { Module } from '@nestjs/common';
import { NicknameController } from './nickname.controller.js';
import { NicknamesService } from './nicknames.service.js';

/** Names under which developers publish apps. */
@Module({ controllers: [NicknameController], providers: [NicknamesService] })
export class NicknamesModule {}
