import { generateKeyPairSync, sign } from 'node:crypto';
import { rotate } from './rotation.js';
import { serve } from './work.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const claims = Buffer.alloc(500, 'a');

const signature = () =>
  new Promise<Buffer>((done, failed) => {
    sign('sha256', claims, privateKey, (error, value) => (error ? failed(error) : done(value)));
  });

/**
 * Minimum work of a refresh: the rotation in the database and one RS256 signature of a token's
 * size, off the main thread.
 */
serve(async () => {
  await rotate();
  await signature();
});
