import {
  defineEventHandler,
  defineExtension,
  defineFunction,
  ExtensionError,
  result,
  Type,
} from '@platform/extension-sdk';

export default defineExtension({
  id: 'orders',
  version: '1.0.0',
  name: 'Orders',
  description:
    'Takes orders and follows them until the parcel is sent. Events of the app shipping report the progress.',
  emits: {
    'orders.placed': Type.Object({ order_id: Type.String(), item: Type.String() }),
  },
  functions: {
    place_order: defineFunction({
      description: 'Places an order.',
      actionType: 'write',
      params: Type.Object({ item: Type.String({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
      async run({ item }, ctx) {
        const { id } = await ctx.store.create('orders', { item, status: 'placed' });
        await ctx.extensions.emit('orders.placed', { order_id: id, item });
        return result({ data: { order_id: id }, summary: `Ordered: ${item}` });
      },
    }),
    get_order: defineFunction({
      description: 'Returns the status of an order.',
      actionType: 'read',
      params: Type.Object({ order_id: Type.String() }, { additionalProperties: false }),
      async run({ order_id }, ctx) {
        const order = await ctx.store.get('orders', order_id);
        if (!order) throw new ExtensionError('ORDER_NOT_FOUND', 'No order has this order_id.');
        return { order_id, ...order.data };
      },
    }),
  },
  events: {
    'shipping.parcel_sent': defineEventHandler({
      data: Type.Object({ order_id: Type.String(), parcel_id: Type.String() }),
      // An event can arrive more than once, so a handler must be safe to repeat.
      async run({ data: { order_id, parcel_id } }, ctx) {
        await ctx.store.update('orders', order_id, { status: 'sent', parcel_id });
      },
    }),
  },
});
