import { createLogger, createService } from '@platform/platform';
import {
  PaymentReconciliationService,
  type ReconciliationResult,
} from '../apps/auth-gateway/src/billing/payments/sweeps/payment-reconciliation.service.js';
import { loadConfig } from '../apps/auth-gateway/src/config.js';
import { authGateway } from '../apps/auth-gateway/src/service.js';

/**
 * Compares open payments with the provider, in a gateway process without listener and workers,
 * because the gateway owns all effects of a payment. Safe to repeat. @throws ServiceUnavailable
 * while the provider cannot be reached.
 */
export async function reconcilePayments(env: NodeJS.ProcessEnv): Promise<ReconciliationResult> {
  const definition = authGateway({ ...loadConfig(env), WORKERS: 'off' });
  const app = await createService(definition, createLogger('billing', 'error'));
  try {
    await definition.connect?.(app);
    await app.init();
    return await app.get(PaymentReconciliationService).reconcilePayments();
  } finally {
    await app.close();
  }
}
