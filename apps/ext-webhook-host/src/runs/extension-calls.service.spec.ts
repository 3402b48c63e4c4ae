import type { Run } from '../context/run.js';
import { ExtensionCallsService } from './extension-calls.service.js';

type Parts = ConstructorParameters<typeof ExtensionCallsService>;

/** Records calls of other apps and never answers them. */
function unanswered() {
  const underWay: string[] = [];
  const gateway = {
    callExtension: (_appId: string, { grant }: { grant: string }) => {
      underWay.push(grant);
      return new Promise(() => undefined);
    },
  };
  const calls = new ExtensionCallsService(
    null as unknown as Parts[0],
    null as unknown as Parts[1],
    gateway as unknown as Parts[2],
    null as unknown as Parts[3],
  );
  const call = (appId: string, of: Pick<Run, 'userId' | 'developerId'>) => {
    const from = of.userId ?? of.developerId ?? 'nobody';
    const run = {
      ...of,
      app: { app_id: appId, version: '1.0.0' },
      tenantId: 'acme',
      chain: [`${appId}.__schedule__daily`],
      via: [],
      grant: { callWithGrant: (work: (text: string) => unknown) => work(from) },
      state: { limits: { callDepth: 6 }, calls: { spend: () => undefined }, signal: new AbortController().signal },
    };
    void calls.callFunction(run as unknown as Run, 'other-app', 'slow', {}).catch(() => undefined);
  };
  return { call, of: (from: string) => underWay.filter((one) => one === from).length };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const of = (developerId: string | null, userId: string | null = null) => ({ developerId, userId });

describe('calls of other apps by runs of no user', () => {
  it('count for the developer, whatever the tenant: those of one leave places to another’s', async () => {
    const { call, of: underWay } = unanswered();
    for (let n = 0; n < 400; n++) call(`loud-${n % 8}`, of('usr_loud'));
    await settled();
    expect(underWay('usr_loud')).toBe(32);
    call('quiet', of('usr_quiet'));
    call('loud-0', of('usr_loud', 'usr_ada'));
    await settled();
    expect(underWay('usr_quiet')).toBe(1);
    expect(underWay('usr_ada')).toBe(1);
    expect(underWay('usr_loud')).toBe(32);
  });

  it('count for the app while nobody can say whose it is', async () => {
    const { call, of: underWay } = unanswered();
    for (let n = 0; n < 100; n++) call('loud', of(null));
    await settled();
    const before = underWay('nobody');
    call('quiet', of(null));
    await settled();
    expect(underWay('nobody')).toBe(before + 1);
  });
});
