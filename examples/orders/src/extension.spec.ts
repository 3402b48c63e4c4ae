import { createTestContext, type TestContext } from '@platform/extension-sdk/testing';
import shipping from '../../shipping/src/extension.js';
import orders from './extension.js';

const emitted = ({ effects }: Pick<TestContext, 'effects'>) =>
  effects.filter(({ what }) => what === 'emit').map(({ details }) => details);

it('an order becomes an event, a parcel, an event, and is sent', async () => {
  const shop = createTestContext({ extension: orders });
  const warehouse = createTestContext({ extension: shipping });
  const { order_id } = (await shop.call('place_order', { item: 'A kite' })).data as { order_id: string };
  expect(emitted(shop)).toEqual([{ type: 'orders.placed', data: { order_id, item: 'A kite' } }]);

  for (const _time of [1, 2]) await warehouse.event('orders.placed', { order_id, item: 'A kite' });
  const [parcel] = (await warehouse.call('list_parcels')).data as [{ parcel_id: string }];
  expect((await warehouse.call('list_parcels')).data).toHaveLength(1);
  expect(emitted(warehouse)).toContainEqual({
    type: 'shipping.parcel_sent',
    data: { order_id, parcel_id: parcel.parcel_id },
  });

  expect((await shop.call('get_order', { order_id })).data).toMatchObject({ status: 'placed' });
  await shop.event('shipping.parcel_sent', { order_id, parcel_id: parcel.parcel_id });
  expect((await shop.call('get_order', { order_id })).data).toEqual({
    order_id,
    item: 'A kite',
    status: 'sent',
    parcel_id: parcel.parcel_id,
  });
});

it('knows no order of somebody else', async () => {
  const ada = createTestContext({ extension: orders });
  const { order_id } = (await ada.call('place_order', { item: 'A kite' })).data as { order_id: string };
  const bob = ada.as({ user: { platform_id: 'usr_bob' } });
  await expect(bob.call('get_order', { order_id })).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
});
