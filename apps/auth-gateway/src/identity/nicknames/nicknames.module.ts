import { Module } from '@nestjs/common';
import { NicknameController } from './nickname.controller.js';
import { Nicknames } from './nicknames.service.js';

/** Names under which developers publish apps. */
@Module({ controllers: [NicknameController], providers: [Nicknames] })
export class NicknamesModule {}
