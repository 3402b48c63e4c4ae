import { TemplateError } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import { truncateText, type CallAction, isMessage, type MessageAction, type RuleAction } from '@platform/contracts';
import { callerFieldsOfKey, commonScopes, hasScope, type UserCaller } from '@platform/guards';
import { JobsService, Postponed, type JobInfo } from '@platform/messaging';
import { columns, type Row, type RowOf } from '@platform/persistence';
import { AppError, currentContext } from '@platform/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { toStorableText } from '../../extensions/actions/action-log.service.js';
import { keyIsInvalid } from '../../identity/api-keys/invalid-keys.js';
import { CallAdmissionService } from '../../extensions/calls/call-admission.service.js';
import { CallTargetsService } from '../../extensions/calls/call-targets.service.js';
import { isGatewayLimit } from '../../extensions/calls/function-error.js';
import { FunctionCallsService } from '../../extensions/calls/function-calls.service.js';
import { intersectScopes } from '../../apps/reach/granted-scopes.js';
import { refusalIn, RunEligibilityService } from '../../extensions/run-grants/run-eligibility.service.js';
import { REFUSALS } from '../../extensions/run-grants/run-grants.errors.js';
import { UserNotificationsService } from '../../extensions/notifications/user-notifications.service.js';
import { lockAccount } from '../../identity/accounts/lock-account.js';
import { GatewayCredentialsService } from '../../identity/credentials/gateway-credentials.service.js';
import { fillTemplates, valueAsText } from '../definitions/event-templates.js';
import { assertNotDestructive } from '../definitions/rule-definitions.service.js';
import { AutomationFire } from '../rules/automation-fire.entity.js';
import { AutomationRule } from '../rules/automation-rule.entity.js';
import type { FireEvent } from './fire-event.js';
import { KEY_OF_RULE } from '../rules/rule-rows.js';
import { fireQueue, NEXT_ACTION_MS, LIMITED_RETRY } from './firing.jobs.js';
import {
  appsBehindRule,
  isUnattended,
  narrowingOfFire,
  RULE_RIGHTS_COLUMNS,
  type FiringEvent,
  type AuthorRights,
} from './firing-rights.js';

const FAILURES_UNTIL_ERROR = 5;
const MAX_ERROR_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 2_000;

const OF_FIRE = columns(
  AutomationFire,
  ['id', 'event', 'actionsDone', 'ruleId', 'scopes AS event_scopes', 'key AS event_key', 'apps AS event_apps'],
  'f',
);
const OF_RULE = columns(AutomationRule, ['userId', 'tenantId', 'actions'], 'r');
const OUTCOME_COLUMNS = columns(AutomationRule, ['interpretation', 'status', 'notifyMode', 'actions']);
type RuleAfterOutcome = RowOf<typeof OUTCOME_COLUMNS>;

type Owned = Row<AutomationFire, 'ruleId'> & Row<AutomationRule, 'userId' | 'tenantId'>;

interface Fire extends RowOf<typeof OF_FIRE>, RowOf<typeof OF_RULE>, AuthorRights {
  /** Not null while the firing is pending. */
  event: FireEvent;
  /** Milliseconds since it fired. */
  age_ms: number;
}

type Outcome = { status: 'success'; error: null } | { status: 'failed' | 'limited'; error: string };

/** Failure of an action, with a message for the owner. */
class ActionError extends Error {
  constructor(
    message: string,
    readonly isRetryable = false,
  ) {
    super(message);
  }
}

/**
 * A limit of the gateway refused a call (429), such as the limit of the developer's tier. It does
 * not count as a failure, and a retry can succeed.
 */
class LimitedError extends Error {
  constructor(
    what: string,
    readonly waitMs = LIMITED_RETRY.waitMs,
  ) {
    super(what);
  }
}

/** Runs the actions of rules in the name of their owners. */
@Injectable()
export class RuleActionsWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly credentials: GatewayCredentialsService,
    private readonly admission: CallAdmissionService,
    private readonly eligibility: RunEligibilityService,
    private readonly notifications: UserNotificationsService,
    jobs: JobsService,
  ) {
    jobs.registerHandlers(fireQueue, { run: ({ fire_id }, job) => this.run(fire_id, job) });
  }

  /**
   * Runs the actions of a firing in order until one fails, and stores the result. Each run of the
   * job calls at most one function, so that other firings get their turn. After a crash it
   * continues with the interrupted action: a message is sent only once, but a function can be
   * called again. An action that a limit of the gateway refuses is retried for 15 minutes and is no
   * failure.
   *
   * @throws Postponed while actions are left; an unexpected or retryable error, unless this is the
   * last attempt of the job.
   */
  private async run(id: string, { attempt }: JobInfo): Promise<void> {
    const fire = await this.find(id);
    if (!fire) return; // it has finished, or its rule was deleted
    let isThrough: boolean;
    try {
      await this.assertKeysExist(fire);
      isThrough = await this.runActions(fire, await this.scopesOfApps(fire));
    } catch (error) {
      if (error instanceof LimitedError) return this.postponeOrEnd(fire, error);
      const isLast = attempt >= fireQueue.attempts;
      if (!isLast && !(error instanceof ActionError && !error.isRetryable)) throw error;
      return this.recordOutcome(fire, { status: 'failed', error: failureText(error) });
    }
    if (!isThrough) throw new Postponed('The next action of the firing waits in the queue.', NEXT_ACTION_MS);
    await this.recordOutcome(fire, { status: 'success', error: null });
  }

  /** Runs the actions up to the next function call. Returns true if no action is left. */
  private async runActions(fire: Fire, ofApps: readonly string[]): Promise<boolean> {
    for (let at = fire.actions_done; at < fire.actions.length; at++) {
      await this.runAction(fire, at, ofApps);
      if (!isMessage(fire.actions[at] as RuleAction)) return at + 1 === fire.actions.length;
    }
    return true;
  }

  /**
   * Stores that a firing ended as `limited`, if the next retry would be later than 15 minutes after
   * it fired.
   *
   * @throws Postponed otherwise: the job runs again after the wait.
   */
  private postponeOrEnd(fire: Fire, { message, waitMs }: LimitedError): Promise<void> {
    if (fire.age_ms + waitMs < LIMITED_RETRY.forMs) throw new Postponed(message, waitMs);
    return this.recordOutcome(fire, {
      status: 'limited',
      error: toStorableText(truncateText(message, MAX_ERROR_LENGTH)),
    });
  }

  private async find(id: string): Promise<Fire | null> {
    const [fire] = await this.dataSource.query<Fire[]>(
      `SELECT ${OF_FIRE}, ${OF_RULE}, ${RULE_RIGHTS_COLUMNS},
         extract(epoch FROM now() - f.fired_at)::float8 * 1000 AS age_ms
       FROM automation_fires f JOIN automation_rules r ON r.id = f.rule_id WHERE f.id = $1 AND f.status = 'pending'`,
      [id],
    );
    return fire ?? null;
  }

  /**
   * @throws ActionError if an API key that led to the rule or to the event was deleted or has
   * expired.
   */
  private async assertKeysExist({ id }: Fire): Promise<void> {
    const [gone] = await this.dataSource.query<{ of_rule: boolean; of_event: boolean }[]>(
      `SELECT ${keyIsInvalid(`(${KEY_OF_RULE})`)} AS of_rule, ${keyIsInvalid('f.key')} AS of_event
       FROM automation_fires f JOIN automation_rules r ON r.id = f.rule_id WHERE f.id = $1`,
      [id],
    );
    if (gone?.of_event) throw new ActionError('The API key that led to the event was deleted or has expired.');
    if (gone?.of_rule)
      throw new ActionError(
        'The API key that made this automation was deleted or has expired. Sign in and set its actions again.',
      );
  }

  /**
   * Returns the scopes that all apps that led to the rule or to the event now have for the owner;
   * all scopes without such apps.
   *
   * @throws ActionError if one of them cannot act for the owner.
   */
  private async scopesOfApps(fire: Fire): Promise<readonly string[]> {
    const { user_id: userId, tenant_id: tenantId } = fire;
    const apps = [...new Set([...appsBehindRule(fire), ...(fire.event_apps ?? [])])];
    const eligibilities = await this.eligibility.findEligibilities(apps.map((appId) => ({ appId, userId })));
    return eligibilities.reduce<readonly string[]>(
      (scopes, eligibility, at) => {
        const refusal = refusalIn(eligibility, tenantId);
        if (refusal === null && eligibility.user) return intersectScopes(scopes, eligibility.user.scopes);
        throw appRefusedError(fire, apps[at] as string, REFUSALS[refusal ?? 'app_unavailable']);
      },
      ['*'],
    );
  }

  private async runAction(fire: Fire, at: number, ofApps: readonly string[]): Promise<void> {
    const action = fire.actions[at] as RuleAction;
    try {
      await (isMessage(action) ? this.sendMessage(fire, at, action) : this.callFunction(fire, at, action, ofApps));
    } catch (error) {
      if (!(
        error instanceof ActionError ||
        error instanceof LimitedError ||
        error instanceof TemplateError ||
        isRefusal(error)
      ))
        throw error;
      const what = `Action ${at + 1}, ${isMessage(action) ? 'the message' : `${action.app_id}.${action.tool}`}: ${error.message}`;
      if (error instanceof LimitedError || isLimit(error)) throw new LimitedError(what, waitOf(error));
      throw new ActionError(what, error instanceof ActionError && error.isRetryable);
    }
  }

  private async sendMessage(fire: Fire, at: number, action: MessageAction): Promise<void> {
    const message = valueAsText(fillTemplates(action.message, fire.event));
    await this.dataSource.transaction(async (em) => {
      if (!(await lockAccount(em, fire.user_id))) return;
      const [done] = await em.query<[unknown[], number]>(
        'UPDATE automation_fires SET actions_done = $2 + 1 WHERE id = $1 AND actions_done = $2 RETURNING id',
        [fire.id, at],
      );
      if (done.length) await this.notifyOwner(em, fire, message);
    });
  }

  /**
   * Calls a function as the owner, with the scopes that all of these have: the owner now, the
   * author of the actions when they were written, the event that fired the rule, and now each app
   * that led to the rule or the event. If an app wrote the actions, the call comes from that app.
   *
   * @throws LimitedError if a limit of the gateway refuses the call; ActionError if the function
   * fails; AppError if the owner cannot call the app; TemplateError for arguments that cannot be
   * filled in.
   */
  private async callFunction(
    fire: Fire,
    at: number,
    { app_id, tool, args }: CallAction,
    ofApps: readonly string[],
  ): Promise<void> {
    const { id, event, user_id, made_by_app: throughApp } = fire;
    const owner = await this.credentials.authenticateActingUser(user_id);
    const then = narrowingOfFire(fire, firedBy(fire));
    const narrowing = { ...then, scopes: intersectScopes(then.scopes, ofApps) };
    const { scopes: narrowedTo, key, apps = [] } = narrowing;
    const otherApps = apps.filter((other) => other !== throughApp);
    const user: UserCaller = {
      ...owner,
      scopes: commonScopes(owner.scopes, narrowedTo),
      narrowedTo,
      ...callerFieldsOfKey(key),
      ...(otherApps.length && { otherApps }),
      ...(throughApp !== null && { throughApp }),
    };
    const target = await this.targets.getTarget(user, app_id);
    const called = { function: tool, params: fillTemplates(args, event) };
    const origin = {
      via: 'automation',
      user,
      narrowing,
      ...(throughApp !== null && { fromApp: throughApp }),
      tenantId: user.tenantId,
      signal: new AbortController().signal,
      check: assertNotDestructive,
      hop: event.hop + 1,
      unattended: isUnattended(fire, firedBy(fire)),
      chargeKey: `fire:${id}:${at}`,
    } as const;
    await this.admission.admit(target, [called], origin);
    const answer = await this.functions.callInSlot(target, called, origin);
    const { status, error, retryable } = answer;
    // Only the gateway's own limits count. An app that answers "limited" itself would otherwise be
    // called again and again, without ever failing.
    if (isGatewayLimit(answer)) throw new LimitedError(error ?? 'a limit was reached');
    if (status === 'error') throw new ActionError(error ?? 'it failed', retryable);
    await this.dataSource.query('UPDATE automation_fires SET actions_done = $2 WHERE id = $1', [id, at + 1]);
  }

  /**
   * Stores the result of a firing, counts it and notifies the owner, only once even if the job runs
   * again. A limited run counts neither as success nor as failure. After 5 failures in a row the
   * rule does not fire until it is resumed. A failure after an event that narrowed the rule's
   * permissions does not count for that, because the missing permissions may be the cause.
   */
  private recordOutcome(fire: Fire, outcome: Outcome): Promise<void> {
    const { id, rule_id, user_id, tenant_id } = fire;
    const { status, error } = outcome;
    return this.dataSource.transaction(async (em) => {
      if (!(await lockAccount(em, user_id))) return;
      // Locks the rule before its firing, in the same order as a deletion.
      await em.query('SELECT 1 FROM automation_rules WHERE id = $1 FOR NO KEY UPDATE', [rule_id]);
      const [settled] = await em.query<[unknown[], number]>(
        `UPDATE automation_fires SET status = $2, error = $3, finished_at = now(), event = NULL
         WHERE id = $1 AND status = 'pending' RETURNING id`,
        [id, status, error],
      );
      if (!settled.length) return;
      const [[rule]] = await em.query<[RuleAfterOutcome[], number]>(
        `UPDATE automation_rules SET
           success_count = success_count + CASE $2 WHEN 'success' THEN 1 ELSE 0 END,
           fail_count = fail_count + CASE $2 WHEN 'failed' THEN 1 ELSE 0 END,
           failures_in_row = CASE $2 WHEN 'success' THEN 0 WHEN 'failed' THEN failures_in_row + $4 ELSE failures_in_row END,
           last_error = $3,
           status = CASE WHEN ${IS_HOPELESS} THEN 'error' ELSE status END,
           next_at = CASE WHEN ${IS_HOPELESS} THEN NULL ELSE next_at END
         WHERE id = $1 RETURNING ${OUTCOME_COLUMNS}`,
        [rule_id, status, error, isNarrowed(fire) ? 0 : 1],
      );
      const message = rule && messageOf(rule, outcome);
      if (message) await this.notifyOwner(em, { rule_id, user_id, tenant_id }, message);
    });
  }

  private notifyOwner(em: EntityManager, { rule_id, user_id, tenant_id }: Owned, message: string): Promise<void> {
    return this.notifications.storeNotification(em, {
      app_id: 'automations',
      user_id,
      tenant_id,
      message: truncateText(message, MAX_MESSAGE_LENGTH),
      subject: `Automation ${rule_id}`,
    });
  }
}

const IS_HOPELESS = `$2 = 'failed' AND status = 'active' AND $4 > 0 AND failures_in_row + $4 >= ${FAILURES_UNTIL_ERROR}`;

/** True for a refusal (4xx) of the owner's call. */
const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500;

const isLimit = (error: unknown): error is AppError => error instanceof AppError && error.status === 429;

/**
 * Returns the milliseconds that the limit itself asks for, at least the usual wait; undefined if it
 * asks for none.
 */
function waitOf(error: unknown): number | undefined {
  if (error instanceof LimitedError) return error.waitMs;
  const seconds = isLimit(error) ? Number(error.options.headers?.['Retry-After']) : NaN;
  return seconds > 0 ? Math.max(seconds * 1_000, LIMITED_RETRY.waitMs) : undefined;
}

const firedBy = ({ event, event_scopes, event_key, event_apps }: Fire): FiringEvent => ({
  event,
  scopes: event_scopes,
  key: event_key,
  apps: event_apps,
});

/** True if the event narrows the permissions of the rule. */
const isNarrowed = ({ scopes, event_scopes, event_key, event_apps }: Fire): boolean =>
  event_scopes !== null &&
  (event_key !== null || Boolean(event_apps?.length) || !scopes.every((scope) => hasScope(event_scopes, scope)));

/** Failure because an app cannot act for the owner. */
function appRefusedError(fire: Fire, appId: string, why: string): ActionError {
  if (!appsBehindRule(fire).includes(appId))
    return new ActionError(`An app that led to the event, ${appId}, cannot act for you: ${why}`);
  const led =
    appId === fire.made_by_app
      ? `${appId}, the app that made this automation,`
      : `An app that led to this automation, ${appId},`;
  return new ActionError(`${led} cannot act for you: ${why} Sign in and set its actions again.`);
}

function failureText(error: unknown): string {
  if (error instanceof ActionError) return toStorableText(truncateText(error.message, MAX_ERROR_LENGTH));
  currentContext()?.log.error({ err: error }, 'an automation failed unexpectedly');
  return 'Something went wrong on our side.';
}

/**
 * Returns the message to the owner about a finished run; null for none. A successful rule that only
 * sends messages needs no other message.
 */
function messageOf(
  { interpretation, status, notify_mode, actions }: RuleAfterOutcome,
  { status: outcome, error }: Outcome,
): string | null {
  if (notify_mode === 'off') return null;
  if (outcome === 'limited') return `Not done, because a limit was reached: ${error} (${interpretation})`;
  if (error === null) return notify_mode === 'all' && !actions.every(isMessage) ? `Done. ${interpretation}` : null;
  const more =
    status === 'error'
      ? ` It failed ${FAILURES_UNTIL_ERROR} times in a row and does not fire until you resume it.`
      : '';
  return `Failed: ${error}${more} (${interpretation})`;
}
