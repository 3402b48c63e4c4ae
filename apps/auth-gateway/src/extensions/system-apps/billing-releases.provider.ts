import { Inject, Injectable } from '@nestjs/common';
import { FREE_PLAN } from '@platform/billing';
import type { PlanChangePreview } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { PaymentMethodErrors } from '../../billing/payments/cards/payment-methods.errors.js';
import { PaymentMethodsService } from '../../billing/payments/cards/payment-methods.service.js';
import { assertTopUpPrice, getTopUpPrice } from '../../billing/payments/topups/topup-prices.js';
import { UserPlansService } from '../../billing/plans/user-plans.service.js';
import { panelUrl, type PanelPage } from '../../billing/releases/panel-pages.js';
import { PlanChangesService } from '../../billing/subscriptions/plan-changes.service.js';
import { PlanSalesService } from '../../billing/subscriptions/plan-sales.service.js';
import { SubscriptionErrors } from '../../billing/subscriptions/subscriptions.errors.js';
import { CONFIG, type Config } from '../../config.js';
import { formatUsd } from '../../kernel/money.js';
import { definePanelFunction, type PanelStep, type SystemFunction } from '../calls/system-extensions.registry.js';
import { PLAN_PARAMS, parsePlan } from './billing-params.js';

/** These functions move nothing themselves, so an API key only needs the scope for reading. */
const WRITE_FUNCTION = {
  action_type: 'write',
  key_scope: 'billing:read',
  params_schema: { type: 'object', properties: {} },
} as const;

const CARD = {
  type: 'object',
  properties: {
    payment_method_id: { type: 'string', maxLength: 255, description: 'ID of a card from `list_payment_methods`.' },
  },
  required: ['payment_method_id'],
};

/**
 * Functions that move money of a user, or allow it to be moved. Each one returns the page of the
 * panel where the user does it, and a summary. None of them moves money, for any caller: neither an
 * app, a key, the command line nor an automation can.
 */
@Injectable()
export class BillingReleasesProvider {
  readonly definitions: SystemFunction[];

  constructor(
    private readonly sales: PlanSalesService,
    private readonly changes: PlanChangesService,
    private readonly plans: UserPlansService,
    private readonly cards: PaymentMethodsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.definitions = [...this.creditFunctions(), ...this.planFunctions(), ...this.cardFunctions()];
  }

  private creditFunctions(): SystemFunction[] {
    return [
      definePanelFunction({
        ...WRITE_FUNCTION,
        name: 'buy_tokens',
        description: 'Buys credits. The user pays in the panel.',
        params_schema: {
          type: 'object',
          properties: {
            tokens: {
              type: 'integer',
              minimum: 1,
              maximum: 999_999_990,
              description: 'Number of credits, a multiple of 10.',
            },
          },
          required: ['tokens'],
        },
        inPanel: async (_context, { tokens }) => {
          const credits = Number(tokens);
          assertTopUpPrice(credits, getTopUpPrice(credits), this.config.TOPUP_MAX_CENTS);
          return this.panelStep(
            'wallet',
            `Buy ${credits.toLocaleString('en-US')} credits for ${formatUsd(getTopUpPrice(credits))}.`,
            {
              credits,
            },
          );
        },
      }),
      definePanelFunction({
        ...WRITE_FUNCTION,
        name: 'set_auto_topup',
        description: 'Turns automatic top-ups on or off. The user consents in the panel.',
        inPanel: () => this.panelStep('wallet', 'Turn automatic top-ups on or off.'),
      }),
    ];
  }

  private planFunctions(): SystemFunction[] {
    const change = (name: string, description: string, direction?: PlanChangePreview['action']) =>
      definePanelFunction({
        ...WRITE_FUNCTION,
        name,
        description: `${description} The user agrees, and pays, in the panel.`,
        params_schema: PLAN_PARAMS,
        inPanel: ({ user }, params) => this.planChangeStep(user, params, direction),
      });
    const ofOwn = (name: string, description: string, summary: string) =>
      definePanelFunction({
        ...WRITE_FUNCTION,
        name,
        description: `${description} The user does it in the panel.`,
        inPanel: async ({ user }) => {
          if ((await this.plans.getSubscription(user)).plan === FREE_PLAN && name !== 'renew_subscription')
            throw SubscriptionErrors.none();
          return this.panelStep('subscription', summary);
        },
      });
    return [
      change('change_plan', 'Subscribes to a plan, or changes to another one.'),
      change('upgrade_plan', 'Changes to a larger plan, at once.', 'upgrade'),
      change('downgrade_plan', 'Changes to a smaller plan, at the end of the period.', 'downgrade'),
      ofOwn(
        'cancel_subscription',
        'Ends the plan at the end of its period.',
        'End your plan at the end of its period.',
      ),
      ofOwn('resume_subscription', 'Undoes a cancellation, or a planned change to a smaller plan.', 'Keep your plan.'),
      ofOwn(
        'renew_subscription',
        'Pays the next period of a plan that was not renewed automatically.',
        'Pay the next period of your plan.',
      ),
    ];
  }

  private cardFunctions(): SystemFunction[] {
    const ofCard = (name: string, description: string, summary: (card: string) => string) =>
      definePanelFunction({
        ...WRITE_FUNCTION,
        name,
        description: `${description} The user does it in the panel.`,
        params_schema: CARD,
        inPanel: async ({ user }, { payment_method_id: id }) => {
          const card = (await this.cards.listPaymentMethods(user)).find((each) => each.id === id);
          if (!card) throw PaymentMethodErrors.notFound();
          return this.panelStep(
            'payments',
            summary(user.throughApp === undefined ? `${card.brand} card ending in ${card.last4}` : 'card'),
          );
        },
      });
    return [
      definePanelFunction({
        ...WRITE_FUNCTION,
        name: 'add_payment_method',
        description: 'Saves a card. The user types it in the panel.',
        inPanel: () => this.panelStep('payments', 'Save a card.'),
      }),
      ofCard(
        'set_default_payment_method',
        'Makes a saved card the default for automatic payments.',
        (card) => `Pay with your ${card}.`,
      ),
      ofCard('remove_payment_method', 'Removes a saved card.', (card) => `Remove your ${card}.`),
    ];
  }

  /**
   * Returns the page of the panel for a change to a plan. Without a `direction`, a user on the free
   * plan subscribes by paying the first month.
   *
   * @throws AppError 404 for an unknown plan, 400 for one that is not sold; 409
   * `subscription.other_direction` if the plan is not in the requested `direction`, and another 409
   * if the user's plan cannot change, such as `subscription.none` for the free plan with a
   * `direction`.
   */
  private async planChangeStep(
    user: UserCaller,
    params: Record<string, unknown>,
    direction?: PlanChangePreview['action'],
  ): Promise<PanelStep> {
    const request = parsePlan(params);
    const { plan, billing_mode } = await this.plans.getSubscription(user);
    if (plan === FREE_PLAN && billing_mode === 'free' && direction === undefined) {
      const sold = await this.sales.getSoldPlan(request);
      return this.panelStep('subscription', `Take the plan ${sold.name} for ${formatUsd(sold.priceCents)} a month.`, {
        plan: sold.id,
      });
    }
    const preview = await this.changes.previewPlanChange(user, request);
    if (direction !== undefined && preview.action !== direction)
      throw SubscriptionErrors.otherDirection(preview.action);
    return this.panelStep('subscription', summaryOf(preview), { plan: preview.plan });
  }

  private panelStep(page: PanelPage, summary: string, proposal?: Record<string, string | number>): Promise<PanelStep> {
    return Promise.resolve({ panelUrl: panelUrl(this.config.PANEL_URL, page, proposal), summary });
  }
}

const summaryOf = ({ action, plan, amount_cents: cents, effective_at: at }: PlanChangePreview): string =>
  action === 'upgrade'
    ? `Change to the plan ${plan} now, for ${formatUsd(cents)}.`
    : `Change to the plan ${plan} on ${at.toISOString().slice(0, 10)}, when the period ends.`;
