import { EventPositionsService } from '../../../../kernel/events/event-positions.service.js';
import { TenantWebhooksTest } from '../../../../testing/tenant-webhooks-test.js';
import { WebhookDispatchWorker } from './webhook-dispatch.worker.js';

it('ends after the page that it is at when its process stops', async () => {
  const webhooks = await TenantWebhooksTest.start();
  try {
    await webhooks.newTenant();
    const one = await webhooks.endpoint();
    await webhooks.insertPlanChanges(600);
    await webhooks.gateway.service.app.get(EventPositionsService).placeEvents();
    const dispatcher = webhooks.gateway.service.app.get(WebhookDispatchWorker);
    const dispatching = dispatcher.dispatchAll();
    await dispatcher.onApplicationShutdown();
    await dispatching;
    const begun = await webhooks.gateway.service.query(
      'SELECT FROM webhook_endpoint_deliveries WHERE endpoint_id = $1',
      [one.id],
    );
    expect(begun).toHaveLength(200);
  } finally {
    await webhooks.stop();
  }
});
