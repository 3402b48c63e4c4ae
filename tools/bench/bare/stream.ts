import { createServer, type ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

/** Bare Server-Sent Events: `POST /<n>` writes n generated events to every client in a loop. */
const { PORT } = process.env;
/**
 * Events between two pauses in which the clients can read, as a gateway makes between two pages.
 */
const AT_ONCE = 200;

const clients = new Set<ServerResponse>();
let id = 0;

async function write(events: number): Promise<void> {
  for (let n = 1; n <= events; n++) {
    const event = {
      type: 'system.tested',
      payload: { n, text: 'Something has happened that concerns you.' },
      ts: new Date(),
    };
    const frame = Buffer.from(`id: ${++id}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const client of clients) client.write(frame);
    if (n % AT_ONCE === 0) await turn();
  }
}

createServer((request, response) => {
  if (request.method === 'POST') {
    void write(Number(request.url?.slice(1))).then(() => response.end());
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write('id: 0\n\n');
  clients.add(response);
  response.once('close', () => clients.delete(response));
}).listen(Number(PORT), '127.0.0.1', () => process.send?.('listening'));
