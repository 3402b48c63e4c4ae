import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DeletedRuleResponse,
  ListRulesQuery,
  RuleCreateRequest,
  RuleIdParam,
  RuleResponse,
  RuleStatusResponse,
} from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { Deprecated } from '@platform/platform';
import { AutomationsService } from './automations.service.js';

@ApiTags('Automations')
@Controller('v1/automations')
export class AutomationsController {
  constructor(private readonly automations: AutomationsService) {}

  /**
   * Creates a rule from a prompt. Deprecated: new clients call the function `create_automation` of
   * the app `automations`. A prompt that is not understood, or whose event or functions cannot be
   * used, is answered 422; a user with as many rules as their plan allows 429
   * `automation.quota_exceeded`.
   */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  @Deprecated('2025-11-01')
  createAutomation(
    @CurrentUser() user: UserCaller,
    @Body() { user_id: _caller, ...request }: RuleCreateRequest,
  ): Promise<RuleResponse> {
    return this.automations.createRule(user, request);
  }

  /** Lists the rules of the user, newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'automations:read', permission: 'automations' })
  listAutomations(@CurrentUser() user: UserCaller, @Query() query: ListRulesQuery): Promise<RuleResponse[]> {
    return this.automations.listRules(user, query);
  }

  /**
   * Deletes a rule with its history. An unknown rule is answered 404 `automation.not_found`, and
   * the rule of another user 403 `automation.not_owner` unless the caller is an administrator.
   */
  @Delete(':rule_id')
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  deleteAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<DeletedRuleResponse> {
    return this.automations.delete(user, rule_id);
  }

  /**
   * Pauses a rule: it does not fire until it is resumed. Its counters stay. An unknown rule is
   * answered 404 `automation.not_found`, and the rule of another user 403 `automation.not_owner`
   * unless the caller is an administrator.
   */
  @Post(':rule_id/pause')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  pauseAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<RuleStatusResponse> {
    return this.automations.pause(user, rule_id);
  }

  /**
   * Resumes a rule: it fires again, and the number of its firings starts at 0. An unknown rule is
   * answered 404 `automation.not_found`, the rule of another user 403 `automation.not_owner`, and a
   * rule that can do more than the calling API key 403 `automation.beyond_key`.
   */
  @Post(':rule_id/resume')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  resumeAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<RuleStatusResponse> {
    return this.automations.resume(user, rule_id);
  }
}
