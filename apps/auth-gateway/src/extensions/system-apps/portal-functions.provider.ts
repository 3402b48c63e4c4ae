import { Injectable, type Type } from '@nestjs/common';
import {
  AppCreateRequest,
  AppDeleteRequest,
  AppUpdateRequest,
  DeveloperRegisterRequest,
  SecretPath,
  SecretValue,
} from '@platform/contracts';
import { QuotasService } from '@platform/guards';
import { InputPipe } from '@platform/platform';
import { AppsService } from '../../apps/own-apps/apps.service.js';
import { AppSecretsService } from '../../apps/operations/app-secrets.service.js';
import { getTierPrice } from '../../apps/developers/developer-tiers.js';
import { DeveloperErrors } from '../../apps/developers/developers.errors.js';
import { PORTAL_LIMIT } from '../../apps/developers/developers.limits.js';
import { DevelopersService } from '../../apps/developers/developers.service.js';
import { AppSubmissionsService } from '../../apps/reviews/app-submissions.service.js';
import type { SystemFunction } from '../calls/system-extensions.registry.js';

const text = (description: string) => ({ type: ['string', 'null'], description });
const APP_ID = { app_id: { type: 'string', maxLength: 64, description: 'The app.' } };
const SECRET_NAME = {
  name: { type: 'string', maxLength: 63, description: 'Name of the secret, as the app declares it.' },
};
const APP_FIELDS = {
  display_name: text('What users see.'),
  name: text('The same as display_name.'),
  short_description: text('One line.'),
  description: text('What it does.'),
  long_description: text('The full description.'),
  category: text('Where the marketplace lists it.'),
  tags: { type: ['array', 'null'], items: { type: 'string' } },
  icon: text('The name of an icon.'),
  git_url: text('URL of the source code.'),
  pricing_model: text('free, per_action or subscription.'),
  pricing_config: { type: ['object', 'null'] },
};
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

const pipe = new InputPipe();
/** Validates params by the rules for the body of the route. @throws ValidationFailed. */
const input = <T>(type: Type<T>, params: Record<string, unknown>): Promise<T> =>
  pipe.transform(params, { type: 'body', metatype: type }) as Promise<T>;

/**
 * Functions of the developer portal. All that change something share one quota per user with the
 * routes.
 */
@Injectable()
export class PortalFunctionsProvider {
  readonly definitions: SystemFunction[];
  private readonly unlimited: SystemFunction[] = [
    {
      name: 'register_developer',
      description: 'Registers the user as a developer.',
      action_type: 'write',
      key_scope: 'apps:write',
      params_schema: object({
        display_name: text('What users see.'),
        nickname: text('The handle.'),
        website: text('An https URL.'),
        description: text('About the developer.'),
      }),
      handler: async ({ user }, params) => {
        const request = await input(DeveloperRegisterRequest, params);
        // `operate` does not ask the user before this function, so tiers that cost something are
        // only available by the route.
        if (request.tier && getTierPrice(request.tier)) throw DeveloperErrors.tierInPerson(request.tier);
        const data = await this.developers.registerDeveloper(user, request);
        return { data, summary: `You are registered as ${data.nickname}.` };
      },
    },
    {
      name: 'create_app',
      description: 'Creates an app of the developer, as a draft.',
      action_type: 'write',
      key_scope: 'apps:write',
      params_schema: object({ ...APP_ID, ...APP_FIELDS }, ['app_id']),
      handler: async ({ user }, params) => {
        const data = await this.apps.createApp(user, await input(AppCreateRequest, params));
        return { data, summary: `${data.app_id} is created.` };
      },
    },
    {
      name: 'update_app_info',
      description: 'Changes the information about an app.',
      action_type: 'write',
      key_scope: 'apps:write',
      params_schema: object({ ...APP_ID, ...APP_FIELDS, revenue_split_dev: { type: ['integer', 'null'] } }, ['app_id']),
      handler: async ({ user }, { app_id: appId, ...fields }) => {
        const data = await this.apps.updateApp(user, appId as string, await input(AppUpdateRequest, fields));
        return { data, summary: `${data.app_id} is updated.` };
      },
    },
    {
      name: 'submit_for_review',
      description: 'Submits the running version of an app for review.',
      action_type: 'write',
      key_scope: 'apps:write',
      params_schema: object(APP_ID, ['app_id']),
      handler: async ({ user }, { app_id: appId }) => {
        const data = await this.submissions.submitApp(user, appId as string);
        return { data, summary: `${data.app_id} ${data.version} is submitted for review.` };
      },
    },
    {
      name: 'suspend_app',
      description: 'Takes an app out of review, or out of the marketplace.',
      action_type: 'destructive',
      key_scope: 'apps:write',
      params_schema: object(APP_ID, ['app_id']),
      handler: async ({ user }, { app_id: appId }) => {
        const data = await this.submissions.suspendApp(user, appId as string);
        return { data, summary: `${data.app_id} is suspended.` };
      },
    },
    {
      name: 'delete_app',
      description: 'Deletes a draft or a suspended app with all its versions.',
      action_type: 'destructive',
      key_scope: 'apps:write',
      params_schema: object({ ...APP_ID, confirm_name: { type: 'string', description: 'The app_id once more.' } }, [
        'app_id',
        'confirm_name',
      ]),
      handler: async ({ user }, { app_id: appId, ...confirmation }) => {
        const data = await this.apps.deleteApp(user, appId as string, await input(AppDeleteRequest, confirmation));
        return { data, summary: `${data.app_id} is deleted.` };
      },
    },
    {
      name: 'save_app_secret',
      description: 'Sets a secret of an app, which only the app reads.',
      action_type: 'write',
      key_scope: 'secrets:write',
      params_schema: object(
        { ...APP_ID, ...SECRET_NAME, value: { type: 'string', description: 'Never shown again.' } },
        ['app_id', 'name', 'value'],
      ),
      handler: async ({ user }, params) => {
        const { app_id, name } = await input(SecretPath, { app_id: params['app_id'], name: params['name'] });
        const { value } = await input(SecretValue, { value: params['value'] });
        const data = await this.secrets.setAppSecret(user, app_id, name, value);
        return { data, summary: `The secret ${name} of ${app_id} is set.` };
      },
    },
    {
      name: 'delete_app_secret',
      description: 'Deletes a secret of an app.',
      action_type: 'destructive',
      key_scope: 'secrets:write',
      params_schema: object({ ...APP_ID, ...SECRET_NAME }, ['app_id', 'name']),
      handler: async ({ user }, params) => {
        const { app_id, name } = await input(SecretPath, params);
        const data = await this.secrets.deleteAppSecret(user, app_id, name);
        return {
          data,
          summary: data.was_set ? `The secret ${name} of ${app_id} is deleted.` : `The secret ${name} was not set.`,
        };
      },
    },
  ];

  constructor(
    private readonly developers: DevelopersService,
    private readonly apps: AppsService,
    private readonly secrets: AppSecretsService,
    private readonly submissions: AppSubmissionsService,
    private readonly quotas: QuotasService,
  ) {
    this.definitions = this.unlimited.map((definition) =>
      definition.action_type === 'read' ? definition : this.withQuota(definition),
    );
  }

  /**
   * Returns the function with the quota of 240 calls in a minute per user. It applies to every way
   * of calling: a single call, a batch, an app or an automation.
   */
  private withQuota(definition: SystemFunction): SystemFunction {
    return {
      ...definition,
      handler: async (context, params) => {
        await this.quotas.consume(PORTAL_LIMIT, context.user.userId);
        return definition.handler(context, params);
      },
    };
  }
}
