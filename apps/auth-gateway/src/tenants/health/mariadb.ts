import { Socket } from 'node:net';
import type { TenantDatabase } from '../tenant-databases.js';

const HEADER_BYTES = 4;
/** Real ones have about a hundred. */
const MOST_PACKET_BYTES = 1_024;
const PROTOCOL_VERSION = 10;
const ERROR_PACKET = 0xff;

/**
 * Connects and reads the packet with which the server introduces itself. There is no driver that could go on from there, so nobody signs
 * in. https://mariadb.com/kb/en/connection/#initial-handshake-packet
 */
export async function checkMariadb({ host, port }: TenantDatabase, signal: AbortSignal): Promise<string> {
  const socket = new Socket({ signal });
  try {
    socket.connect(port, host);
    const kind = await firstPacketKind(socket);
    if (kind === ERROR_PACKET) throw new Error('The server refuses this client.');
    if (kind !== PROTOCOL_VERSION) throw new Error('This is not the protocol of MariaDB.');
    return 'Connected, and a MariaDB or MySQL server introduced itself. User, password and database were not checked: there is no driver for that.';
  } finally {
    socket.destroy();
  }
}

/** The first byte of the first packet, once the whole packet is there. */
async function firstPacketKind(socket: Socket): Promise<number> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    if (received.length < HEADER_BYTES) continue;
    const length = received.readUIntLE(0, 3);
    if (length === 0 || length > MOST_PACKET_BYTES || received[3] !== 0) throw new Error('This is not the protocol of MariaDB.');
    if (received.length >= HEADER_BYTES + length) return received.readUInt8(HEADER_BYTES);
  }
  throw new Error('The server closed the connection before it introduced itself.');
}
