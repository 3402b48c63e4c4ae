import { Module } from '@nestjs/common';
import { NicknameController } from './nickname.controller.js';
import { Nicknames } from './nicknames.service.js';

/** The names under which people publish. */
@Module({ controllers: [NicknameController], providers: [Nicknames] })
export class NicknamesModule {}
