import { request } from 'node:http';

/**
 * Stream clients that only count events, in a process of their own, so that they are faster than
 * the measured server.
 */

export interface CountingCommand {
  /** Opens this many clients. Answered after each has received its position. */
  open?: { url: string; headers: Record<string, string>; clients: number };
  /** Answered after this many more events have arrived at all clients together. */
  expect?: number;
}

/** Data line of an event; a message with only the position has none. */
const MARK = '\ndata: {';

let expected = Infinity;
let counted = 0;

async function open({ url, headers, clients }: NonNullable<CountingCommand['open']>): Promise<void> {
  for (let at = 0; at < clients; at++) await openOne(url, headers);
}

const openOne = (url: string, headers: Record<string, string>): Promise<void> =>
  new Promise((live, failed) => {
    const sent = request(url, { headers, agent: false });
    sent.once('error', failed);
    sent.once('response', (response) => {
      if (response.statusCode !== 200) failed(new Error(`a stream answered ${response.statusCode}`));
      let begun = '';
      let end = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => {
        if (!begun.includes('id: ') && (begun += chunk).includes('id: ')) live();
        const text = end + chunk;
        for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) counted++;
        end = text.slice(1 - MARK.length);
        if (counted >= expected) tell();
      });
      response.once('close', () => {
        throw new Error('a stream has ended');
      });
    });
    sent.end();
  });

function tell(): void {
  counted -= expected;
  expected = Infinity;
  process.send?.('done');
}

process.on('message', (command: CountingCommand) => {
  if (command.open) void open(command.open).then(() => process.send?.('done'));
  if (command.expect === undefined) return;
  expected = command.expect;
  if (counted >= expected) tell();
});
process.once('disconnect', () => process.exit());
