import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NicknameBody, NicknameResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { Nicknames } from './nicknames.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/nickname')
export class NicknameController {
  constructor(private readonly nicknames: Nicknames) {}

  /** The nickname of the caller, and null when there is none. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'profile' })
  getNickname(@CurrentUser() user: UserCaller): Promise<NicknameResponse> {
    return this.nicknames.get(user);
  }

  /** Takes a nickname, in place of the one that the user has. Nobody else on the platform may have it. */
  @Put()
  @Access('bearerOrActingUser', { keyScope: 'profile:write', permission: 'profile' })
  setNickname(@CurrentUser() user: UserCaller, @Body() request: NicknameBody): Promise<NicknameResponse> {
    return this.nicknames.set(user, request);
  }
}
