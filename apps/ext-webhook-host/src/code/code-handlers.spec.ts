import { HostTest, userNamed } from '../testing/host.js';

let host: HostTest;
beforeAll(async () => {
  host = await HostTest.start();
});
afterAll(() => host.stop());

const codeFunction = (name: string, more: object = {}) => ({
  id: name,
  kind: 'function',
  action: name,
  params: { description: `Does ${name}.`, code: { module: 'main', entry: name }, ...more },
});

it('runs', async () => {
  const app = host.deploy({
    modules: { main: 'export function hello(event, ctx) { return { hello: event.name, user: ctx.user.email } }' },
    steps: [codeFunction('hello')],
  });
  for (let i = 0; i < 3; i++) {
    const { body } = await host.run(app, { function: 'hello', params: { name: 'Ada' }, user: userNamed('usr_1') });
    console.log(body);
  }
});
