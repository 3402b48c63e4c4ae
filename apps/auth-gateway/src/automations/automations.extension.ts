import { Injectable, type Type } from '@nestjs/common';
import {
  BULK_RULE_ACTIONS,
  BulkRulesRequest,
  ListRulesQuery,
  MAX_RULE_ACTIONS,
  NOTIFY_MODES,
  RuleDefinition,
  RuleIdParam,
  SCHEDULED_EVENT,
} from '@platform/contracts';
import { AppError, InputPipe } from '@platform/platform';
import { FunctionError } from '../extensions/calls/function-error.js';
import { SystemExtensionsRegistry, type SystemFunction } from '../extensions/calls/system-extensions.registry.js';
import { AutomationsService } from './automations.service.js';

const integer = (description: string) => ({ type: ['integer', 'null'], description });
const RULE_ID = { rule_id: { type: 'integer', minimum: 1, description: 'The automation.' } };
const PAGE = { limit: integer('1 to 500; default 200.'), offset: integer('Default 0.') };
const DEFINITION = {
  prompt: {
    type: ['string', 'null'],
    description: 'The rule in words, such as: every day at 09:00: message "Good morning".',
  },
  trigger_filter: {
    type: ['object', 'null'],
    description: 'Event or schedule that starts the actions, instead of a prompt.',
    required: ['event_type'],
    properties: {
      event_type: { type: 'string', description: `Such as marketplace.app_installed, or ${SCHEDULED_EVENT}.` },
      schedule: { type: ['string', 'null'], description: `Five cron fields in UTC, for ${SCHEDULED_EVENT}.` },
    },
  },
  actions: {
    type: ['array', 'null'],
    minItems: 1,
    maxItems: MAX_RULE_ACTIONS,
    description: 'Actions, in order. {{ event.data.x }} inserts a value of the event.',
    items: {
      type: 'object',
      properties: {
        message: { type: 'string', description: 'Message to the owner.' },
        app_id: {
          type: 'string',
          description: 'App of the function to call; tool names the function, args its arguments.',
        },
        tool: { type: 'string' },
        args: { type: 'object' },
      },
    },
  },
  cooldown_seconds: integer('Seconds after a firing in which it does not fire again; default 60.'),
  max_per_hour: integer('Most firings within any hour; default 10.'),
  max_iterations: integer('Firings until it is paused; 0, the default, for no end.'),
  notify_mode: {
    enum: [...NOTIFY_MODES, null],
    description: 'Runs that the owner gets a message about; default failures.',
  },
};
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

const pipe = new InputPipe();
/**
 * Validates parameters like a request body, and returns them as an object of this class.
 *
 * @throws ValidationFailed if they are not valid.
 */
const input = <T>(type: Type<T>, params: Record<string, unknown>): Promise<T> =>
  pipe.transform(params, { type: 'body', metatype: type }) as Promise<T>;
const ruleId = async (params: Record<string, unknown>): Promise<number> => (await input(RuleIdParam, params)).rule_id;

/** The system extension `automations`. */
@Injectable()
export class AutomationsExtension {
  constructor(
    extensions: SystemExtensionsRegistry,
    private readonly automations: AutomationsService,
  ) {
    extensions.registerExtension({ appId: 'automations', functions: this.defineFunctions() });
  }

  private defineFunctions(): SystemFunction[] {
    return [
      {
        name: 'list_automations',
        description: 'Lists the automations of the user, newest first, and the quota.',
        action_type: 'read',
        key_scope: 'automations:read',
        params_schema: object({
          ...PAGE,
          user_id: { type: ['string', 'null'], description: 'For administrators: id of another user.' },
        }),
        handler: async ({ user }, { user_id, ...page }) => {
          const items = await this.automations.listRules(
            user,
            await input(ListRulesQuery, withoutNulls(page)),
            textOr(user_id, user.userId),
          );
          return {
            data: { items, quota: await this.automations.getQuota(user) },
            summary: `${items.length} automations.`,
          };
        },
      },
      {
        name: 'create_automation',
        description: 'Creates an automation from a prompt, or from a trigger and actions.',
        action_type: 'write',
        key_scope: 'automations:write',
        params_schema: object(DEFINITION),
        handler: async ({ user }, params) => {
          const data = await this.automations
            .createRule(user, await input(RuleDefinition, params))
            .catch(rethrowQuotaError);
          return { data, summary: data.interpretation };
        },
      },
      {
        name: 'get_automation_details',
        description: 'Shows an automation with its last firings.',
        action_type: 'read',
        key_scope: 'automations:read',
        params_schema: object(RULE_ID, ['rule_id']),
        handler: async ({ user }, params) => {
          const { rule, fires } = await this.automations.getRule(user, await ruleId(params));
          return { data: Object.assign(rule, { fires }), summary: rule.interpretation };
        },
      },
      {
        name: 'update_automation',
        description: 'Changes the given fields of an automation.',
        action_type: 'write',
        key_scope: 'automations:write',
        params_schema: object({ ...RULE_ID, ...DEFINITION }, ['rule_id']),
        handler: async ({ user }, { rule_id, ...definition }) => {
          const data = await this.automations.updateRule(
            user,
            await ruleId({ rule_id }),
            await input(RuleDefinition, definition),
          );
          return { data, summary: data.interpretation };
        },
      },
      {
        name: 'pause_automation',
        description: 'Pauses an automation: it does not fire until it is resumed.',
        action_type: 'write',
        key_scope: 'automations:write',
        params_schema: object(RULE_ID, ['rule_id']),
        handler: async ({ user }, params) => {
          const data = await this.automations.pause(user, await ruleId(params));
          return { data, summary: `Automation ${data.id} is paused.` };
        },
      },
      {
        name: 'resume_automation',
        description: 'Resumes an automation and resets its counter to 0.',
        action_type: 'write',
        key_scope: 'automations:write',
        params_schema: object(RULE_ID, ['rule_id']),
        handler: async ({ user }, params) => {
          const data = await this.automations.resume(user, await ruleId(params));
          return { data, summary: `Automation ${data.id} is active.` };
        },
      },
      {
        name: 'delete_automation',
        description: 'Deletes an automation with its history.',
        action_type: 'destructive',
        key_scope: 'automations:write',
        params_schema: object(RULE_ID, ['rule_id']),
        handler: async ({ user }, params) => {
          const data = await this.automations.delete(user, await ruleId(params));
          return { data, summary: `Automation ${data.id} is deleted.` };
        },
      },
      {
        name: 'bulk_automation_action',
        description: 'Pauses, resumes or deletes several automations, or all of the user.',
        action_type: 'destructive',
        key_scope: 'automations:write',
        params_schema: object(
          {
            action: { enum: BULK_RULE_ACTIONS },
            rule_ids: { type: ['array', 'null'], items: { type: 'integer' }, description: 'Ids of the automations.' },
            all: { type: ['boolean', 'null'], description: 'All automations of the user, instead of rule_ids.' },
          },
          ['action'],
        ),
        handler: async ({ user }, params) => {
          const request = await input(BulkRulesRequest, params);
          const results = await this.automations.applyToRules(user, request);
          const done = results.filter(({ ok }) => ok).length;
          return {
            data: { action: request.action, results, done },
            summary: `${request.action}: ${done} of ${results.length}.`,
          };
        },
      },
      {
        name: 'automation_owners',
        description: 'For administrators: users of the tenant with automations, and their numbers.',
        action_type: 'read',
        key_scope: 'automations:read',
        params_schema: object(PAGE),
        handler: async ({ user }, params) => {
          const items = await this.automations.listOwners(user, await input(ListRulesQuery, withoutNulls(params)));
          return { data: { items }, summary: `${items.length} owners.` };
        },
      },
    ];
  }
}

/** Omits null values, which stand for the default. */
const withoutNulls = (params: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** Turns the quota error into an error that clients do not retry. */
function rethrowQuotaError(error: unknown): never {
  if (error instanceof AppError && error.code === 'automation.quota_exceeded') {
    throw new FunctionError('AUTOMATION_QUOTA_EXCEEDED', error.message, { data: error.options.details?.['detail'] });
  }
  throw error;
}
