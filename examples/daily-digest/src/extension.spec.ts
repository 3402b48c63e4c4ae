import { createTestContext, type TestContext } from '@platform/extension-sdk/testing';
import extension from './extension.js';

const told = ({ effects }: Pick<TestContext, 'effects'>) =>
  effects.filter(({ what }) => what === 'notify.send').map(({ details }) => details);

it('tells each user what they have collected, once', async () => {
  const ada = createTestContext({ extension });
  const bob = ada.as({ user: { platform_id: 'usr_bob' } });
  for (const text of ['One', 'Two']) await ada.call('add_item', { text });
  await bob.call('add_item', { text: 'His' });
  expect((await ada.call('list_items')).data).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
  for (const _morning of [1, 2]) await ada.schedule('digest', 'usr_ada');
  expect(told(ada)).toEqual([{ subject: 'Your digest', message: '• One\n• Two' }]);
  expect((await ada.call('list_items')).data).toEqual([]);
  expect((await bob.call('list_items')).data).toMatchObject([{ text: 'His' }]);
});

it('leaves for the next morning what is too much for one', async () => {
  const test = createTestContext({ extension, settings: { 'digest.max_items': 1 } });
  for (const text of ['One', 'Two']) await test.call('add_item', { text });
  for (const _morning of [1, 2]) await test.schedule('digest', 'usr_ada');
  expect(told(test)).toMatchObject([{ message: '• One' }, { message: '• Two' }]);
});
