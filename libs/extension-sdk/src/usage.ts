import { ExtensionError } from './extension-error.js';

const METER = /^[a-z][a-z0-9_.-]{0,63}$/;
const MAX_QUANTITY = 1_000_000_000_000;

const UsageErrors = {
  meterInvalid: () =>
    new ExtensionError(
      'BILLING_METER_INVALID',
      'A meter must begin with a-z and have up to 64 characters of a-z, 0-9, "_", "." and "-".',
    ),
  quantityInvalid: () =>
    new ExtensionError('BILLING_QUANTITY_INVALID', `The quantity must be a whole number from 1 to ${MAX_QUANTITY}.`),
};

/**
 * Checks the arguments of `ctx.billing.trackUsage`.
 *
 * @throws ExtensionError BILLING_METER_INVALID unless the meter begins with a-z and has up to 64
 * characters of a-z, 0-9, `_`, `.` and `-`; BILLING_QUANTITY_INVALID unless the quantity is a whole
 * number from 1 to 10¹².
 */
export function assertUsage(meter: string, quantity: number): void {
  if (typeof meter !== 'string' || !METER.test(meter)) throw UsageErrors.meterInvalid();
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY) throw UsageErrors.quantityInvalid();
}
