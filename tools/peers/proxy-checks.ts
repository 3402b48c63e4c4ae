import { connect } from 'node:tls';
import type { PeersPlatform } from './peers-platform.js';

/**
 * Checks, in addition to the tour, the statements of the operators' page about every proxy. @throws
 * Error with the statement that does not hold.
 */
export async function checkProxy(
  { addresses, administrator }: PeersPlatform,
  port: number,
  authority: Buffer,
): Promise<string[]> {
  const { gatewayUrl, panelUrl } = addresses;
  const done: string[] = [];
  const check = (what: string, isSo: boolean, found: unknown = '') => {
    if (!isSo) throw new Error(`${what}: ${JSON.stringify(found)}`);
    done.push(what);
  };

  const forged = { 'X-Forwarded-For': '192.0.2.66', 'X-Real-IP': '192.0.2.66', Forwarded: 'for=192.0.2.66' };
  const login = await fetch(`${gatewayUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...forged },
    body: JSON.stringify(administrator),
  });
  const { access_token } = (await login.json()) as { access_token?: string };
  const listed = await fetch(`${gatewayUrl}/v1/auth/sessions`, {
    headers: { Authorization: `Bearer ${access_token}` },
  });
  const { sessions = [] } = (await listed.json()) as { sessions?: { ip_address: string; current: boolean }[] };
  const address = sessions.find(({ current }) => current)?.ip_address;
  check('a session has the real address of the client, not a forged one', address === '127.0.0.1', {
    status: login.status,
    address,
  });

  // Larger than the route accepts, but small enough for the proxy.
  const large = JSON.stringify({ email: 'x'.repeat(4 * 1024 * 1024) });
  const refused = await fetch(`${gatewayUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: large,
  });
  const { code } = (await refused.json()) as { code?: string };
  check(
    'a body of 4 MB reaches the gateway, which refuses it',
    refused.status === 413 && code === 'payload_too_large',
    refused.status,
  );

  for (const url of [gatewayUrl, panelUrl]) {
    const answer = await askForWebSocket(new URL(url), port, authority);
    check(`${url} answers a browser that asks for WebSocket`, answer.startsWith('HTTP/1.1 200 '), answer.slice(0, 200));
  }

  const ms = await firstPiece(`${gatewayUrl}/v1/events/stream`, { Authorization: `Bearer ${access_token}` });
  check('a stream of events begins at once', ms < STREAM_BEGINS_MS, ms);
  return done;
}

const STREAM_BEGINS_MS = 5_000;

/** Milliseconds from the request to the first part of the body. */
async function firstPiece(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), 2 * STREAM_BEGINS_MS);
  try {
    const response = await fetch(url, { headers: { ...headers, Accept: 'text/event-stream' }, signal: gone.signal });
    if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}`);
    await response.body?.getReader().read();
    return performance.now() - started;
  } finally {
    clearTimeout(timer);
    gone.abort();
  }
}

/** Returns the data received until the connection closes or 5 s pass without data. */
function askForWebSocket({ hostname }: URL, port: number, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(
      { host: '127.0.0.1', port, ca, ...(hostname === 'localhost' && { servername: hostname }) },
      () => {
        const lines = [
          'GET /healthz HTTP/1.1',
          `Host: ${hostname}:${port}`,
          'Connection: keep-alive, Upgrade',
          'Upgrade: websocket',
        ];
        socket.write(
          `${[...lines, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='].join('\r\n')}\r\n\r\n`,
        );
      },
    );
    socket.setTimeout(STREAM_BEGINS_MS, () => socket.destroy());
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString();
      if (answer.includes('"ok"')) socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
  });
}
