import type { Socket } from 'node:net';
import type { TestProxy } from './test-proxy.js';

/**
 * First bytes of ReadyForQuery, which ends every PostgreSQL answer (six bytes with the status):
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
const FIELDS = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit'];

/**
 * Simulates a PostgreSQL that is killed right after the `count`-th answer from now: its last
 * message arrives in the same packet. Other connections stay open.
 */
export function simulatePostgresKill(wire: TestProxy, count = 1): void {
  const handOn = wire.answer;
  let answers = 0;
  wire.answer = (packet: Buffer, client: Socket) => {
    if (!packet.subarray(-6, -1).equals(READY_FOR_QUERY) || ++answers < count) {
      handOn(packet, client);
      return;
    }
    wire.answer = handOn;
    client.end(Buffer.concat([packet, buildTerminationMessage()]));
  };
}

function buildTerminationMessage(): Buffer {
  const body = Buffer.from(`${FIELDS.join('\0')}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
