import type { Dispatcher, Pool as PoolType } from 'undici';
import { proxyFor, type Proxy } from './proxy.js';

const agents = new Map<string, Promise<Dispatcher>>();

/**
 * `fetch` through the proxy that HTTPS_PROXY and the like set for the address; without one, plain
 * `fetch`.
 *
 * @throws CommandError for an invalid proxy address; the errors of `fetch`.
 */
export async function proxiedFetch(input: string | Request, init: RequestInit = {}): Promise<Response> {
  const proxy = proxyFor(typeof input === 'string' ? input : input.url, process.env);
  if (!proxy) return fetch(input, init);
  const key = JSON.stringify(proxy);
  const agent = agents.get(key) ?? agentOf(proxy);
  agents.set(key, agent);
  // The types of Node.js accept only dispatchers of its own undici.
  return fetch(input, { ...init, dispatcher: await agent } as unknown as RequestInit);
}

/**
 * Returns the agent that sends requests through a proxy. Loads undici only here: it is a third of
 * the code of a command.
 */
async function agentOf({ origin, authorization }: Proxy): Promise<Dispatcher> {
  const { Pool, ProxyAgent } = await import('undici');
  return new ProxyAgent({
    uri: origin,
    ...(authorization !== null && { token: authorization }),
    // Requests by plain http go to the proxy itself: most proxies allow tunnels only to port 443.
    proxyTunnel: false,
    clientFactory: (address: URL, options: object) => telling(new Pool(address, options)),
  });
}

type Connect = (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;

/**
 * Makes connections fail with the status of the proxy if this refuses a tunnel; undici does not
 * report it.
 */
function telling(pool: PoolType): PoolType {
  const connect: unknown = pool.connect.bind(pool); // `connect` is overloaded, and TypeScript would choose the last signature
  const told: Connect = async (options) => {
    const answer = await (connect as Connect)(options);
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new Error(
      answer.statusCode === 407
        ? 'Proxy Authentication Required (407)'
        : `The proxy refuses with status ${answer.statusCode}`,
    );
  };
  return Object.assign(pool, { connect: told });
}
