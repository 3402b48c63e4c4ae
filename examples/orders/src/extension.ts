import { defineEventHandler, defineExtension, defineFunction, ExtensionError, result, Type } from '@platform/extension-sdk';

export default defineExtension({
  id: 'orders',
  version: '1.0.0',
  name: 'Orders',
  description: 'Takes orders, and follows them to the parcel. What the app shipping does it learns from its events.',
  emits: {
    'orders.placed': Type.Object({ order_id: Type.String(), item: Type.String() }),
  },
  functions: {
    place_order: defineFunction({
      description: 'Orders something.',
      actionType: 'write',
      params: Type.Object({ item: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
      async run({ item }, ctx) {
        const { id } = await ctx.store.create('orders', { item, status: 'placed' });
        await ctx.extensions.emit('orders.placed', { order_id: id, item });
        return result({ data: { order_id: id }, summary: `Ordered: ${item}` });
      },
    }),
    get_order: defineFunction({
      description: 'Tells how far an order is.',
      actionType: 'read',
      params: Type.Object({ order_id: Type.String() }, { additionalProperties: false }),
      async run({ order_id }, ctx) {
        const order = await ctx.store.get('orders', order_id);
        if (!order) throw new ExtensionError('ORDER_NOT_FOUND', 'There is no such order.');
        return { order_id, ...order.data };
      },
    }),
  },
  events: {
    'shipping.parcel_sent': defineEventHandler({
      data: Type.Object({ order_id: Type.String(), parcel_id: Type.String() }),
      // Events come at least once, so a handler does what may be done again.
      async run({ data: { order_id, parcel_id } }, ctx) {
        await ctx.store.update('orders', order_id, { status: 'sent', parcel_id });
      },
    }),
  },
});
