import type { ParamsIssue } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import type { SmokeTestResponse } from '@platform/contracts';
import { QuotasService } from '@platform/guards';
import type { Row } from '@platform/persistence';
import { AppError } from '@platform/platform';
import { DataSource } from 'typeorm';
import { DocumentCheckService } from '../../apps/deploys/documents/document-check.service.js';
import { formatIssue } from '../../apps/deploys/documents/deployable-document.js';
import { ExtensionHostClient } from '../../kernel/peers/extension-host/extension-host.client.js';
import { forwardHostErrors } from '../../kernel/peers/extension-host/host-errors.js';
import { MINUTE, policy } from '../../kernel/rate-limits.js';
import { FunctionError, FunctionErrors } from '../calls/function-error.js';
import type { CallContext, FunctionResult, SystemFunction } from '../calls/system-extensions.registry.js';
import type { User } from '../../identity/accounts/user.entity.js';

/** Limit per user. */
const SMOKE_TESTS_LIMIT = policy('smoke-tests', 60, MINUTE);

interface Params {
  ir_dict: unknown;
  function: string;
  args?: Record<string, unknown>;
}

/**
 * `smoke_ir`: runs one function of a document, deployed or not, with an empty store and without any
 * effect.
 */
@Injectable()
export class SmokeIrProvider {
  readonly definition: SystemFunction = {
    name: 'smoke_ir',
    description:
      'Runs one function of an app document against a fresh store, without any effect, and tells what each step did.',
    action_type: 'read',
    key_scope: 'apps:read',
    params_schema: {
      type: 'object',
      required: ['ir_dict', 'function'],
      properties: {
        ir_dict: { description: 'The app document: an object in the simple form or in the envelope form.' },
        function: { type: 'string', maxLength: 128, description: 'Name of the function.' },
        args: { type: 'object', description: 'Params of the function.' },
      },
    },
    return_schema: {
      type: 'object',
      required: ['ok', 'result', 'trace'],
      properties: {
        ok: { type: 'boolean', description: 'False when the function failed.' },
        result: { description: 'What it returned.' },
        error: { type: ['string', 'null'] },
        trace: { type: 'object', properties: { steps: { type: 'array' } } },
      },
    },
    handler: (context, params) => this.testFunction(context, params as unknown as Params),
  };

  constructor(
    private readonly host: ExtensionHostClient,
    private readonly checker: DocumentCheckService,
    private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
  ) {}

  private async testFunction(
    { user, signal }: CallContext,
    { ir_dict, function: name, args = {} }: Params,
  ): Promise<FunctionResult> {
    await this.quotas.consume(SMOKE_TESTS_LIMIT, user.userId);
    const checked = await this.checker.checkCall(
      user.userId,
      { json: JSON.stringify(ir_dict), function: name, args: JSON.stringify(args) },
      signal,
    );
    if (!checked.ok) {
      throw new FunctionError('INVALID_IR', `Invalid IR — not run. ${checked.issues.map(formatIssue).join(' ')}`, {
        data: { issues: checked.issues },
      });
    }
    if (!checked.isKnown) throw FunctionErrors.unknown(checked.appId, name);
    if (checked.refusal) return toResult(name, refusedResponse(checked.refusal));
    const [account] = await this.dataSource.query<Row<User, 'email'>[]>('SELECT email FROM users WHERE id = $1', [
      user.userId,
    ]);
    if (!account) throw new AppError(404, 'user.not_found', 'There is no such user.');
    const { userId: user_id, tenantId: tenant_id, role, scopes } = user;
    const answer = await forwardHostErrors(
      this.host.runSmokeTest(
        {
          document: JSON.parse(checked.json) as Record<string, unknown>,
          function: name,
          args,
          user: { user_id, email: account.email, tenant_id, role, scopes: [...scopes] },
        },
        signal,
      ),
    );
    return toResult(name, answer);
  }
}

/**
 * Returns the answer for params that the function refuses: the same as for a call of the deployed
 * function.
 */
const refusedResponse = ({ code, message }: ParamsIssue): SmokeTestResponse => ({
  ok: false,
  result: null,
  error: message,
  error_code: code,
  trace: { steps: [], effects: [] },
});

function toResult(name: string, { ok, result, error, error_code, trace }: SmokeTestResponse): FunctionResult {
  return {
    data: { ok, result, error, error_code, trace },
    summary: ok ? `${name} ran.` : `${name} failed: ${error ?? ''}`,
  };
}
