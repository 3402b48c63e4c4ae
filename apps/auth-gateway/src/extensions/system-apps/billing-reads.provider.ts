import { Injectable } from '@nestjs/common';
import type { InvoiceResponse, PaymentHistoryItem, PaymentMethodItem } from '@platform/contracts';
import type { UserCaller } from '@platform/guards';
import { UserInvoicesService } from '../../billing/invoices/user-invoices.service.js';
import { UserAutoTopUpsService } from '../../billing/payments/auto-topup/user-auto-topups.service.js';
import { PaymentMethodsService } from '../../billing/payments/cards/payment-methods.service.js';
import { PaymentHistoryService } from '../../billing/payments/history/payment-history.service.js';
import { UserTopUpsService } from '../../billing/payments/topups/user-topups.service.js';
import { PlanChangesService } from '../../billing/subscriptions/plan-changes.service.js';
import { formatMoney, formatUsd } from '../../kernel/money.js';
import type { SystemFunction } from '../calls/system-extensions.registry.js';
import { PLAN_PARAMS, parsePlan } from './billing-params.js';

/** Common parts of the functions of `billing` that only read. */
export const READ_FUNCTION: Pick<SystemFunction, 'action_type' | 'key_scope' | 'params_schema'> = {
  action_type: 'read',
  key_scope: 'billing:read',
  params_schema: { type: 'object', properties: {} },
};

const PAGE = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'Default: 50.' },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: 999_999_999_999,
      description: 'Number of the newest entries to skip.',
    },
  },
};

/**
 * Functions that show a user's payments. They return the same data as the routes, but an app gets
 * no data that identifies the person.
 */
@Injectable()
export class BillingReadsProvider {
  readonly definitions: SystemFunction[];

  constructor(
    private readonly topups: UserTopUpsService,
    private readonly payments: PaymentHistoryService,
    private readonly cards: PaymentMethodsService,
    private readonly invoices: UserInvoicesService,
    private readonly autoTopUps: UserAutoTopUpsService,
    private readonly changes: PlanChangesService,
  ) {
    this.definitions = [...this.paymentFunctions(), ...this.invoiceFunctions(), ...this.offerFunctions()];
  }

  private paymentFunctions(): SystemFunction[] {
    return [
      {
        ...READ_FUNCTION,
        name: 'list_payments',
        description: 'Lists the payments of the user, newest first, including pending ones.',
        params_schema: PAGE,
        handler: async ({ user }, params) => {
          const items = await this.payments.listPayments(user, pageOf(params));
          return {
            data: { items: items.map((each) => paymentFor(user, each)) },
            summary: counted(items.length, 'payment'),
          };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'list_payment_methods',
        description: 'Lists the saved cards of the user, newest first.',
        handler: async ({ user }) => {
          const items = await this.cards.listPaymentMethods(user);
          return { data: { items: items.map((each) => cardFor(user, each)) }, summary: counted(items.length, 'card') };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'get_auto_topup',
        description: 'Shows the settings for automatic top-ups.',
        handler: async ({ user }) => {
          const data = await this.autoTopUps.getAutoTopUp(user);
          const { enabled, recharge_tokens, recharge_cents, threshold_tokens } = data;
          const what = `${recharge_tokens} credits are bought for ${formatUsd(recharge_cents)} when fewer than ${threshold_tokens} are left.`;
          return { data, summary: enabled ? what : 'Automatic top-ups are off.' };
        },
      },
    ];
  }

  private invoiceFunctions(): SystemFunction[] {
    return [
      {
        ...READ_FUNCTION,
        name: 'list_invoices',
        description: 'Lists the invoices and credit notes of the user, newest first.',
        params_schema: PAGE,
        handler: async ({ user }, params) => {
          const items = await this.invoices.listInvoices(user, pageOf(params));
          return {
            data: { items: items.map((each) => invoiceFor(user, each)) },
            summary: counted(items.length, 'invoice'),
          };
        },
      },
      {
        ...READ_FUNCTION,
        name: 'get_invoice',
        description: 'Shows one invoice or credit note of the user.',
        params_schema: {
          type: 'object',
          properties: { invoice_id: { type: 'string', maxLength: 255 } },
          required: ['invoice_id'],
        },
        handler: async ({ user }, { invoice_id: id }) => {
          const invoice = await this.invoices.getInvoice(user, String(id));
          const { kind, number, total_cents, currency } = invoice;
          const what = kind === 'invoice' ? 'Invoice' : 'Credit note';
          return {
            data: invoiceFor(user, invoice),
            summary: `${what} ${number} of ${formatMoney(total_cents, currency)}.`,
          };
        },
      },
    ];
  }

  private offerFunctions(): SystemFunction[] {
    return [
      {
        ...READ_FUNCTION,
        name: 'get_topup_config',
        description: 'Shows the price of credits, and the smallest and largest top-up.',
        handler: () => {
          const data = this.topups.getTopUpConfig();
          const { token_rate: rate, custom_min_cents: least, custom_max_cents: most } = data;
          return Promise.resolve({
            data,
            summary: `${rate} credits cost a cent. A top-up is of ${formatUsd(least)} to ${formatUsd(most)}.`,
          });
        },
      },
      {
        ...READ_FUNCTION,
        name: 'preview_plan_change',
        description: 'Shows the price of a change to another plan, and when it would begin. Changes nothing.',
        params_schema: PLAN_PARAMS,
        handler: async ({ user }, params) => {
          const data = await this.changes.previewPlanChange(user, parsePlan(params));
          const { action, plan, amount_cents: cents, effective_at: at } = data;
          const when =
            action === 'upgrade' ? `costs ${formatUsd(cents)} now` : `begins on ${at.toISOString().slice(0, 10)}`;
          return { data, summary: `The plan ${plan} ${when}.` };
        },
      },
    ];
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}.`;

/**
 * Reads `limit` (default 50) and `offset` (default 0) from the params. The schema accepts only
 * numbers.
 */
const pageOf = ({ limit, offset }: Record<string, unknown>) => ({
  limit: Number(limit ?? 50),
  offset: Number(offset ?? 0),
});

/**
 * Returns a payment as the caller may see it. The receipt is a page of the provider that names the
 * person, so apps do not get it.
 */
function paymentFor({ throughApp }: UserCaller, payment: PaymentHistoryItem): object {
  const { receipt_url, ...rest } = payment;
  return throughApp === undefined ? { ...rest, receipt_url } : rest;
}

const cardFor = ({ throughApp }: UserCaller, card: PaymentMethodItem): object =>
  throughApp === undefined ? card : { id: card.id, type: card.type, brand: card.brand, is_default: card.is_default };

/**
 * Returns an invoice as the caller may see it. No app learns the buyer of an invoice, which is the
 * same rule as for `attributes.billing`.
 */
function invoiceFor({ throughApp }: UserCaller, invoice: InvoiceResponse): object {
  const { buyer, ...rest } = invoice;
  return throughApp === undefined ? { ...rest, buyer } : rest;
}
