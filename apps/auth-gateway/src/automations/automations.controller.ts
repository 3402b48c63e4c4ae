import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DeletedRuleResponse, ListRulesQuery, RuleCreateRequest, RuleIdParam, RuleResponse, RuleStatusResponse } from '@platform/contracts';
import { Access, CurrentUser, type UserCaller } from '@platform/guards';
import { Deprecated } from '@platform/platform';
import { Automations } from './automations.service.js';

@ApiTags('Automations')
@Controller('v1/automations')
export class AutomationsController {
  constructor(private readonly automations: Automations) {}

  /**
   * Creates a rule from a prompt. Deprecated: new clients call the function `create_automation` of
   * the extension `automations`.
   */
  @Post()
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  @Deprecated('2025-11-01')
  createAutomation(@CurrentUser() user: UserCaller, @Body() { user_id: _caller, ...request }: RuleCreateRequest): Promise<RuleResponse> {
    return this.automations.create(user, request);
  }

  /** Rules of the user, newest first. */
  @Get()
  @Access('bearerOrActingUser', { keyScope: 'automations:read', permission: 'automations' })
  listAutomations(@CurrentUser() user: UserCaller, @Query() query: ListRulesQuery): Promise<RuleResponse[]> {
    return this.automations.list(user, query);
  }

  /** Deletes a rule with its history. */
  @Delete(':rule_id')
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  deleteAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<DeletedRuleResponse> {
    return this.automations.delete(user, rule_id);
  }

  /** Pauses a rule: it does not fire until it is resumed. Its counters stay. */
  @Post(':rule_id/pause')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  pauseAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<RuleStatusResponse> {
    return this.automations.pause(user, rule_id);
  }

  /** Resumes a rule: it fires again, and its counter starts at 0. */
  @Post(':rule_id/resume')
  @HttpCode(200)
  @Access('bearerOrActingUser', { keyScope: 'automations:write', permission: 'automations' })
  resumeAutomation(@CurrentUser() user: UserCaller, @Param() { rule_id }: RuleIdParam): Promise<RuleStatusResponse> {
    return this.automations.resume(user, rule_id);
  }
}
