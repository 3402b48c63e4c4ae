import { DECLARABLE_CAPABILITIES, pathOf } from '@platform/app-document';
import { readFileSync } from 'node:fs';
import { ExtensionError } from './extension-error.js';
import { CALL_KINDS, CAPABILITIES, isAvailable, restrict, type CallKind, type Capability } from './capabilities.js';

const NAMES = Object.keys(CAPABILITIES) as Capability[];

/** A context with all capabilities. */
class Store {
  private readonly mine = 'own';
  get = () => this.mine;
  listUsers = () => 'users';
  queryAll = () => 'all';
  forUser = (_userId: string) => new Store();
}
const notify = { send: () => 'sent', forUser: () => notify };

const whole = (): Record<string, unknown> => ({
  ...Object.fromEntries(NAMES.filter((name) => !name.includes('.')).map((name) => [name, () => name])),
  store: new Store(),
  notify,
  extensions: { call: () => 'called', emit: () => 'told' },
  internal: 'not a member',
});

function contextOf(kind: CallKind, capabilities: readonly string[] | null = null) {
  const denied: string[] = [];
  return { context: restrict(whole(), { kind, capabilities }, (capability) => denied.push(capability)), denied };
}

/** Reads a capability from a context, such as `ctx.store.listUsers`. */
const read = (context: unknown, capability: string): unknown =>
  capability.split('.').reduce((part, key) => (part as Record<string, unknown>)[key], context);

/** Capabilities that each kind of call is refused, as in the interface. */
const REFUSED: Record<CallKind, Capability[]> = {
  function: ['skeleton', 'asUser', 'store.forUser', 'store.listUsers', 'store.queryAll', 'notify.forUser', 'webhook'],
  skeleton: ['asUser', 'store.forUser', 'store.listUsers', 'store.queryAll', 'notify.forUser', 'webhook'],
  webhook: [
    'tenant',
    'ai',
    'billing',
    'notify',
    'storage',
    'skeleton',
    'progress',
    'asUser',
    'store.listUsers',
    'store.queryAll',
    'backgroundTask',
    'deliverChatMessage',
    'oauthAuthorizeUrl',
  ],
  schedule: [
    'tenant',
    'ai',
    'billing',
    'storage',
    'skeleton',
    'progress',
    'webhook',
    'backgroundTask',
    'deliverChatMessage',
    'oauthAuthorizeUrl',
  ],
  event: [
    'cache',
    'notify',
    'tenant',
    'ai',
    'billing',
    'storage',
    'skeleton',
    'progress',
    'asUser',
    'deliverChatMessage',
    'webhook',
  ],
  lifecycle: ['skeleton', 'asUser', 'store.listUsers', 'webhook'],
  health: [
    'store',
    'cache',
    'extensions',
    'notify',
    'ai',
    'billing',
    'storage',
    'skeleton',
    'tenant',
    'once',
    'asUser',
    'progress',
  ],
};
const GRANTED: Record<CallKind, Capability[]> = {
  function: [
    'user',
    'tenant',
    'store',
    'http',
    'config',
    'secrets',
    'cache',
    'extensions',
    'notify',
    'ai',
    'billing',
    'storage',
    'progress',
  ],
  skeleton: ['user', 'tenant', 'store', 'ai', 'skeleton'],
  webhook: [
    'user',
    'store',
    'store.forUser',
    'http',
    'config',
    'secrets',
    'cache',
    'extensions',
    'log',
    'webhookUrl',
    'webhook',
    'once',
  ],
  schedule: [
    'store',
    'store.listUsers',
    'store.queryAll',
    'http',
    'config',
    'secrets',
    'cache',
    'extensions',
    'notify',
    'asUser',
  ],
  event: ['store', 'http', 'config', 'secrets', 'extensions', 'log'],
  lifecycle: ['user', 'tenant', 'store', 'secrets', 'http'],
  health: ['http', 'config', 'secrets', 'log'],
};

describe.each(CALL_KINDS)('in a call of kind %s', (kind) => {
  it.each(REFUSED[kind])('ctx.%s raises, and is told', (capability) => {
    const { context, denied } = contextOf(kind);
    let raised: unknown;
    try {
      read(context, capability);
    } catch (error) {
      raised = error;
    }
    expect(raised).toBeInstanceOf(ExtensionError);
    // A denied part throws before its members are reached.
    const [name] = denied;
    expect(capability.startsWith(name ?? '-')).toBe(true);
    expect(raised).toMatchObject({ code: 'CAPABILITY_UNAVAILABLE', details: { capability: name, call: kind } });
    expect(denied).toHaveLength(1);
  });

  it.each(GRANTED[kind])('ctx.%s is there', (capability) => {
    const { context, denied } = contextOf(kind);
    expect(read(context, capability)).toBeDefined();
    expect(denied).toEqual([]);
  });

  it('everything either raises or is there', () => {
    const { context } = contextOf(kind);
    for (const capability of NAMES) {
      if (isAvailable(capability, kind)) expect(read(context, capability)).toBeDefined();
      else expect(() => read(context, capability)).toThrow('is not available in');
    }
  });
});

describe('a restricted context', () => {
  it('says what is not available, and where', () => {
    const { context } = contextOf('webhook');
    expect(() => context['billing']).toThrow('ctx.billing is not available in a webhook.');
    expect(() => (context['store'] as Store).queryAll()).toThrow('ctx.store.queryAll is not available in a webhook.');
  });

  it('gives no way around by another user', () => {
    const { context, denied } = contextOf('webhook');
    const other = (context['store'] as Store).forUser('usr_1');
    expect(other.get()).toBe('own');
    expect(() => other.listUsers).toThrow('ctx.store.listUsers is not available in a webhook.');
    expect(() => other.forUser('usr_2').queryAll).toThrow('ctx.store.queryAll');
    expect(denied).toEqual(['store.listUsers', 'store.queryAll']);
  });

  it('has no members beside those of the table', () => {
    const { context } = contextOf('function');
    for (const name of ['internal', 'constructor', '__proto__', 'then', 'toString'])
      expect(context[name]).toBeUndefined();
  });

  it('lets methods find what is their own', () => {
    const { get } = contextOf('webhook').context['store'] as Store;
    expect(get()).toBe('own');
  });
});

describe('a context of a version', () => {
  const refusal = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return error;
    }
  };
  const used = (path: string, capabilities: readonly string[]) => {
    const kind =
      CALL_KINDS.find((one) => !(path in CAPABILITIES) || isAvailable(path as Capability, one)) ?? 'function';
    const { context, denied } = contextOf(kind, capabilities);
    return { found: refusal(() => read(context, path)), denied };
  };

  it.each(DECLARABLE_CAPABILITIES)(
    'has %s where the version asks for it, and else says what to declare',
    (capability) => {
      const path = pathOf(capability);
      const part = DECLARABLE_CAPABILITIES.filter((one) => capability.startsWith(`${one}.`));
      const { found, denied } = used(path, part);
      expect(found).toMatchObject({
        code: 'CAPABILITY_NOT_DECLARED',
        message: expect.stringContaining(`ctx.${path}. Add "${capability}" to "capabilities"`),
        details: { capability },
      });
      expect(denied).toEqual([capability]);
      expect(used(path, [...part, capability]).found).not.toBeInstanceOf(ExtensionError);
    },
  );

  it('has all that needs not be asked for', () => {
    for (const name of NAMES.filter((one) => !(DECLARABLE_CAPABILITIES as readonly string[]).includes(one))) {
      expect(used(name, []).found).not.toBeInstanceOf(ExtensionError);
    }
  });

  it('has no more for another user', () => {
    const { context } = contextOf('schedule', ['store', 'store.forUser']);
    const other = (context['store'] as Store).forUser('usr_1');
    expect(other.get()).toBe('own');
    expect(() => other.queryAll).toThrow('Add "store.queryAll"');
  });

  it('says first what the kind of the call has not', () => {
    expect(() => contextOf('event', []).context['notify']).toThrow('is not available in an event handler');
  });
});

it('docs/extension-runtime.md says which call may use what', () => {
  const lines =
    /\n\| `ctx\.`.*?\n\n/s.exec(readFileSync('docs/extension-runtime.md', 'utf8'))?.[0].trim().split('\n') ?? [];
  const [kinds = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const documented = rows.flatMap(([names = '', ...cells]) => {
    const available = kinds.slice(1).flatMap((kind, at) => (cells[at] === 'yes' ? kind.split(', ') : []));
    return [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => [name, available.sort()]);
  });
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(NAMES.map((name) => [name, [...CAPABILITIES[name]].sort()])),
  );
});
