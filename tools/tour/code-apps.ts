import type { AppResponse, AppSchedulesResponse, CallResponse } from '@platform/contracts';
import type { Tour } from './tour.js';

interface Developer {
  userId: string;
  token: string;
  /** Random part of the ids that the tour creates. */
  mark: string;
}

/**
 * Deploys two drafts with JavaScript handlers: an order passes from one to the other and back as
 * events, and a schedule runs. Returns a function that waits until the schedule runs at its time,
 * within a minute.
 */
export async function codeApps(tour: Tour, { userId, token, mark }: Developer): Promise<() => Promise<void>> {
  const [orders, shipping] = [`orders-${mark}`, `shipping-${mark}`];
  const deploy = async (app_id: string, ir_dict: object) => {
    await tour.call<AppResponse>('/v1/developer/apps', {
      method: 'POST',
      token,
      body: { app_id, name: app_id },
      status: 201,
    });
    await run('developer', 'deploy_ir', { app_id, ir_dict });
  };
  const run = async (appId: string, name: string, params: object = {}): Promise<unknown> => {
    const body = { user_id: userId, function: name, params };
    const answer = await tour.call<CallResponse>(`/v1/extensions/${appId}/call`, { method: 'POST', token, body });
    if (answer.status !== 'success') throw new Error(`${appId}.${name} failed: ${answer.error}`);
    return answer.data;
  };

  tour.step('Deploy two apps in JavaScript that handle events of each other');
  await deploy(shipping, shippingApp(shipping, orders));
  await deploy(orders, ordersApp(orders, shipping));

  const schedules = `/v1/developer/apps/${orders}/schedules`;
  const readSchedules = async () => (await tour.call<AppSchedulesResponse>(schedules, { token })).items;
  // The extension host is notified of deploys within two seconds, in their order. When the schedule
  // exists, it knows the handlers of both apps.
  await tour.until('schedule', async () => (await readSchedules())[0]);

  tour.step('Place an order and wait until its parcel is sent');
  const { order_id } = (await run(orders, 'place_order', { item: 'A kite' })) as { order_id: string };
  await tour.until('order that was sent', async () => {
    const { status } = (await run(orders, 'get_order', { order_id })) as { status: string };
    return status === 'sent' ? status : undefined;
  });

  tour.step('Run its schedule now, without waiting for its time');
  await tour.call(`${schedules}/count_orders/run`, { method: 'POST', token, body: {}, status: 202 });
  const hasRun = (trigger: string) => async () => {
    const [schedule] = await readSchedules();
    return schedule?.recent_runs.find((each) => each.trigger === trigger && each.status === 'succeeded');
  };
  await tour.until('run of the schedule', hasRun('manual'));
  return async () => {
    tour.step('Wait until the schedule runs at its time; it runs every minute');
    await tour.until('run of the schedule at its time', hasRun('schedule'), { seconds: 90, everySeconds: 5 });
    await tour.call(`/v1/developer/apps/${orders}/logs?limit=5`, { token });
  };
}

const codeOf = (entry: string) => ({ module: 'main', entry });
const text = { type: 'string' };

const ORDERS = `
export async function place_order({ item }, ctx) {
  const { id } = await ctx.store.create('orders', { item, status: 'placed' });
  await ctx.extensions.emit(ctx.app.app_id + '.placed', { order_id: id, item });
  return { order_id: id };
}
export const get_order = async ({ order_id }, ctx) => (await ctx.store.get('orders', order_id)).data;
export const sent = async ({ data }, ctx) => ctx.store.update('orders', data.order_id, { status: 'sent' });
export async function count_orders(tick, ctx) {
  const { total } = await ctx.store.queryAll('orders');
  console.log('Orders so far: ' + total);
}`;

const ordersApp = (appId: string, shipping: string) => ({
  app_id: appId,
  version: '1.0.0',
  modules: { main: ORDERS },
  events: {
    emits: [
      {
        type: `${appId}.placed`,
        payload_schema: { type: 'object', properties: { order_id: text, item: text }, required: ['order_id'] },
      },
    ],
  },
  steps: [
    {
      id: 'place',
      kind: 'function',
      action: 'place_order',
      params: {
        description: 'Orders something.',
        action_type: 'write',
        params_schema: { type: 'object', properties: { item: text }, required: ['item'] },
        code: codeOf('place_order'),
      },
    },
    {
      id: 'get',
      kind: 'function',
      action: 'get_order',
      params: {
        description: 'Tells how far an order is.',
        action_type: 'read',
        params_schema: { type: 'object', properties: { order_id: text }, required: ['order_id'] },
        code: codeOf('get_order'),
      },
    },
    { id: 'sent', kind: 'event', action: `${shipping}.parcel_sent`, params: { code: codeOf('sent') } },
    {
      id: 'count',
      kind: 'schedule',
      action: 'count_orders',
      params: { cron: '* * * * *', code: codeOf('count_orders') },
    },
  ],
});

const SHIPPING = `
export default async function send({ data: { order_id, item } }, ctx) {
  await ctx.store.set('parcels/' + order_id, { item });
  await ctx.extensions.emit(ctx.app.app_id + '.parcel_sent', { order_id });
}`;

const shippingApp = (appId: string, orders: string) => ({
  app_id: appId,
  version: '1.0.0',
  modules: { main: SHIPPING },
  events: { emits: [`${appId}.parcel_sent`] },
  steps: [{ id: 'send', kind: 'event', action: `${orders}.placed`, params: { code: { module: 'main' } } }],
});
