import type { SchemaPart } from '@platform/persistence';
import { clockPart } from './clock.js';
import { invoicesPart } from './invoices.js';
import { ledgerPart } from './ledger.js';
import { paymentsPart } from './payments.js';
import { payoutsPart } from './payouts.js';
import { plansPart } from './plans.js';
import { sealsPart } from './seals.js';

/** Clock of billing, which needs no other table, and which prices of apps use. */
export { clockPart as billingClockPart };

/** Tables and functions of billing. They need the tables of tenants, users and apps. */
export const billingParts: readonly SchemaPart[] = [
  plansPart,
  ledgerPart,
  sealsPart,
  paymentsPart,
  invoicesPart,
  payoutsPart,
];
