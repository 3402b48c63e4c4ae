import { request } from 'node:http';

/** Clients that count events and do nothing else with them, in a process of their own: it is to be faster than what is measured. */

export interface CountingCommand {
  /** So many clients begin to follow this; answered once all have been told where they are. */
  open?: { url: string; headers: Record<string, string>; clients: number };
  /** Answered once so many more events have come, of all clients together. */
  expect?: number;
}

/** The line of an event that says what has happened; one that says how far a client is has none. */
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
