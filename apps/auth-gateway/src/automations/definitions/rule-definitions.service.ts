import { canonicalCron, TemplateError } from '@platform/app-document';
import { Injectable } from '@nestjs/common';
import {
  isMessage,
  SCHEDULED_EVENT,
  type CallAction,
  type RuleAction,
  type RuleDefinition,
  type RuleTrigger,
} from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { AppError, type ValidationIssue } from '@platform/platform';
import { AutomationErrors } from '../rules/automations.errors.js';
import { CallTargetsService } from '../../extensions/calls/call-targets.service.js';
import { FunctionCallsService } from '../../extensions/calls/function-calls.service.js';
import { FunctionError } from '../../extensions/calls/function-error.js';
import { assertTemplates, hasTemplates, templateTextsOf } from './event-templates.js';
import { EventCatalogueService } from './event-catalogue.service.js';
import { describeRule } from './interpretation.js';
import { PromptError, parsePrompt } from './prompt-grammar.js';

/** The checked and complete definition of a rule. */
export interface RuleParts {
  prompt: string;
  interpretation: string;
  eventType: string;
  schedule: string | null;
  actions: RuleAction[];
}

type RuleInput = Pick<RuleDefinition, 'prompt' | 'trigger_filter' | 'actions'>;

/**
 * Rules cannot call the automations app itself, because rules that create rules would never end.
 */
const OWN_APP = 'automations';

/**
 * Turns a request of a user into the definition of a rule, and refuses actions that are not
 * possible.
 */
@Injectable()
export class RuleDefinitionsService {
  constructor(
    private readonly targets: CallTargetsService,
    private readonly functions: FunctionCallsService,
    private readonly catalogue: EventCatalogueService,
  ) {}

  /**
   * Returns the checked definition of a rule from trigger and actions, or from the prompt alone.
   *
   * @param before the present definition; its trigger or actions stay if only the other part is
   * given.
   * @throws ValidationFailed with all errors: a missing part, a prompt that is not understood, an
   * event that nothing publishes, an invalid schedule or template, and functions that the user
   * cannot call or that are destructive.
   */
  async resolve(
    user: UserCaller,
    { prompt, trigger_filter, actions }: RuleInput,
    before?: RuleParts,
  ): Promise<RuleParts> {
    if (!trigger_filter && !actions) {
      if (!prompt)
        throw AutomationErrors.invalid([{ loc: ['body', 'trigger_filter'], msg: 'Field required', type: 'missing' }]);
      const read = parsePromptOrRefuse(prompt);
      return this.validateDefinition(user, prompt, read.trigger, read.actions, () => ['body', 'prompt']);
    }
    const trigger = trigger_filter ?? (before && { event_type: before.eventType, schedule: before.schedule });
    const wanted = actions ?? before?.actions;
    if (!trigger || !wanted) {
      const missing = trigger ? 'actions' : 'trigger_filter';
      throw AutomationErrors.invalid([{ loc: ['body', missing], msg: 'Field required', type: 'missing' }]);
    }
    return this.validateDefinition(user, prompt ?? before?.prompt ?? null, trigger, wanted, (...place) => [
      'body',
      ...place,
    ]);
  }

  private async validateDefinition(
    user: UserCaller,
    prompt: string | null,
    trigger: RuleTrigger,
    actions: RuleAction[],
    locOf: (...place: (string | number)[]) => (string | number)[],
  ): Promise<RuleParts> {
    const issues: ValidationIssue[] = [];
    const refuse = (msg: string, ...place: (string | number)[]) =>
      issues.push({ loc: locOf(...place), msg, type: 'value_error' });
    const { event_type: eventType } = trigger;
    if (!(await this.catalogue.hasEventType(user, eventType))) {
      refuse(
        `Nothing publishes the event "${eventType}". Apps declare their events in events.emits.`,
        'trigger_filter',
        'event_type',
      );
    }
    const schedule = validateSchedule(trigger, (msg) => refuse(msg, 'trigger_filter', 'schedule'));
    const complete = actions.map(withArgs);
    for (const [at, action] of complete.entries()) {
      const reason = await this.refusalOf(user, action);
      if (reason !== null) refuse(reason, 'actions', at);
    }
    if (issues.length) throw AutomationErrors.invalid(issues);
    const interpretation = describeRule(eventType, schedule, complete);
    return { prompt: prompt ?? interpretation, interpretation, eventType, schedule, actions: complete };
  }

  /**
   * Returns the reason why an action is not possible; null if it is, as far as that is known before
   * an event.
   */
  private async refusalOf(user: UserCaller, action: RuleAction): Promise<string | null> {
    try {
      assertTemplates(templateTextsOf(action));
      if (!isMessage(action)) await this.assertCallable(user, action);
      return null;
    } catch (error) {
      if (error instanceof TemplateError || error instanceof AppError || error instanceof FunctionError)
        return error.message;
      throw error;
    }
  }

  private async assertCallable(user: UserCaller, { app_id, tool, args }: CallAction): Promise<void> {
    if (app_id === OWN_APP) throw new FunctionError('PERMISSION_DENIED', 'An automation cannot change automations.');
    const target = await this.targets.getTarget(user, app_id);
    try {
      this.functions.validateCall(target, { function: tool, params: args }, { user, check: assertNotDestructive });
    } catch (error) {
      // The arguments may become valid when the templates are filled in.
      if (error instanceof FunctionError && error.code.startsWith('VALIDATION_') && hasTemplates(args)) return;
      throw error;
    }
  }
}

/** Adds empty `args` if they are missing. */
const withArgs = (action: RuleAction): RuleAction => (isMessage(action) ? action : Object.assign({ args: {} }, action));

/**
 * Refuses destructive functions, because rules run without a user that could confirm a call.
 *
 * @throws FunctionError `PERMISSION_DENIED` for a function of the type `destructive`.
 */
export function assertNotDestructive({ action_type }: { action_type: string }): void {
  if (action_type === 'destructive') {
    throw new FunctionError(
      'PERMISSION_DENIED',
      'An automation cannot call a destructive function, because no user is there to confirm it.',
    );
  }
}

function parsePromptOrRefuse(prompt: string): ReturnType<typeof parsePrompt> {
  try {
    return parsePrompt(prompt);
  } catch (error) {
    if (!(error instanceof PromptError)) throw error;
    throw AutomationErrors.invalid([{ loc: ['body', 'prompt'], msg: error.message, type: 'value_error' }]);
  }
}

function validateSchedule({ event_type, schedule }: RuleTrigger, refuse: (msg: string) => void): string | null {
  if (event_type !== SCHEDULED_EVENT) {
    if (schedule !== null) refuse(`Only ${SCHEDULED_EVENT} has a schedule`);
    return null;
  }
  if (schedule === null) {
    refuse(`${SCHEDULED_EVENT} needs a schedule`);
    return null;
  }
  try {
    return canonicalCron(schedule);
  } catch (error) {
    refuse(error instanceof Error ? error.message : 'This is not a valid schedule');
    return null;
  }
}
