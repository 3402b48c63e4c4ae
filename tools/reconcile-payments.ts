import { createLogger, createService } from '@platform/platform';
import { PaymentReconciliation, type Reconciled } from '../apps/auth-gateway/src/billing/payments/sweeps/payment-reconciliation.js';
import { loadConfig } from '../apps/auth-gateway/src/config.js';
import { authGateway } from '../apps/auth-gateway/src/service.js';

/** As a gateway that neither listens nor works, since all that a payment causes belongs to it. @throws ServiceUnavailable while the provider is away. */
export async function reconcilePayments(env: NodeJS.ProcessEnv): Promise<Reconciled> {
  const definition = authGateway({ ...loadConfig(env), WORKERS: 'off' });
  const app = await createService(definition, createLogger('billing', 'error'));
  try {
    await definition.connect?.(app);
    await app.init();
    return await app.get(PaymentReconciliation).run();
  } finally {
    await app.close();
  }
}
