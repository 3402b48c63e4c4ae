import { toProviderKey } from './payment-row.js';

it('a payment has the same key in each version of the gateway, and another one for the customer after one that is gone', () => {
  const payment = { scope: 'renew:sub_1:2', attempt: 1 };
  expect(toProviderKey(payment, null)).toBe('renew:sub_1:2:a1');
  expect(toProviderKey(payment, 'cus_2')).toBe('renew:sub_1:2:a1:cus_2');
});
