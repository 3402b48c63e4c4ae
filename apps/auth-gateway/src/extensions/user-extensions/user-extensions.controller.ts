import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DisableBody,
  DisabledExtensionResponse,
  ResetConversationResponse,
  UserExtensionsResponse,
} from '@platform/contracts';
import { Access, CurrentCaller, type Caller } from '@platform/guards';
import { RefusesUnknownQueryKeys } from '@platform/platform';
import { ConversationsService } from './conversations.service.js';
import { ExtensionsService } from './extensions.service.js';

@ApiTags('Marketplace and me')
@Controller('v1/users/:user_id')
export class UserExtensionsController {
  constructor(
    private readonly extensions: ExtensionsService,
    private readonly conversations: ConversationsService,
  ) {}

  /**
   * Lists the apps of a user, each with the user's access to it. Callers can be the user, an
   * administrator of their tenant, or a backend; others, and requests for an unknown user, are
   * answered 404 `user.not_found`.
   */
  @Get('extensions')
  @Access('bearerOrService', { keyScope: 'installs:read', permission: 'extensions' })
  @RefusesUnknownQueryKeys()
  listUserExtensions(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
  ): Promise<UserExtensionsResponse> {
    return this.extensions.listOfUser(caller, userId);
  }

  /**
   * Disables an app for a user: it stays installed, and calls of it are refused. An app that the
   * user does not have is answered 404 `extension.not_installed`, an app of the platform 403
   * `app.system`.
   */
  @Post('extensions/disable')
  @HttpCode(200)
  @Access('bearerOrService', { keyScope: 'installs:write', permission: 'extensions' })
  async disableUserExtension(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Body() { app_id }: DisableBody,
  ): Promise<DisabledExtensionResponse> {
    await this.extensions.disable(caller, userId, app_id);
    return { app_id, disabled: true };
  }

  /**
   * Enables an app again for a user. An unknown app is answered 404 `extension.not_installed`, an
   * app of the platform 403 `app.system`.
   */
  @Delete('extensions/disable/:app_id')
  @Access('bearerOrService', { keyScope: 'installs:write', permission: 'extensions' })
  async enableUserExtension(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Param('app_id') appId: string,
  ): Promise<DisabledExtensionResponse> {
    await this.extensions.enable(caller, userId, appId);
    return { app_id: appId, disabled: false };
  }

  /**
   * Deletes a user's conversations, so that they start again. Money, billing, usage, installations
   * and sessions stay. An unknown user, and one of another tenant, is answered 404
   * `user.not_found`.
   */
  @Post('reset-conversation')
  @HttpCode(200)
  @Access('adminOrService', { permission: 'extensions' })
  resetConversation(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
  ): Promise<ResetConversationResponse> {
    return this.conversations.resetConversations(caller, userId);
  }
}
