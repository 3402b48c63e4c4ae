import { EventPositions } from '../../../../kernel/events/event-positions.service.js';
import { WebhooksOfTenant } from '../../../../testing/tenant-webhooks-test.js';
import { WebhookDispatcher } from './webhook-dispatch.worker.js';

it('ends after the page that it is at when its process stops', async () => {
  const webhooks = await WebhooksOfTenant.start();
  try {
    await webhooks.newTenant();
    const one = await webhooks.endpoint();
    await webhooks.manyPlansChanged(600);
    await webhooks.gateway.service.app.get(EventPositions).place();
    const dispatcher = webhooks.gateway.service.app.get(WebhookDispatcher);
    const dispatching = dispatcher.dispatch();
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
