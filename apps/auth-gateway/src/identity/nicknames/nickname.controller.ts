import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NicknameBody, NicknameResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { NicknamesService } from './nicknames.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/me/nickname')
export class NicknameController {
  constructor(private readonly nicknames: NicknamesService) {}

  /** Returns the nickname of the caller; null if they have none. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'profile:read', permission: 'profile' })
  getNickname(@CurrentUser() user: UserCaller): Promise<NicknameResponse> {
    return this.nicknames.getNickname(user);
  }

  /**
   * Sets the nickname of the caller and releases the previous one. A nickname is unique on the
   * platform. 400 `nickname.reserved` if it could be mistaken for a part of the platform, 409
   * `nickname.taken` if another user has it.
   */
  @Put()
  @Access('bearerOrActingUser', { keyScope: 'profile:write', permission: 'profile' })
  setNickname(@CurrentUser() user: UserCaller, @Body() request: NicknameBody): Promise<NicknameResponse> {
    return this.nicknames.setNickname(user, request);
  }
}
