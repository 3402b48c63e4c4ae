import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Constant modification time, the same as npm's, so that the same files make the same package. */
const MOMENT = Date.parse('1985-10-26T08:15:00Z') / 1000;

/**
 * Packs files like npm: in a folder `package`, as ustar with gzip. The same files make the same
 * bytes.
 *
 * @param {Map<string, string | Buffer>} files by path
 * @param {ReadonlySet<string>} programs paths of the executable files
 */
export function tarball(files, programs = new Set()) {
  const blocks = [...files.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, content]) => {
      const body = Buffer.from(content);
      const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
      return [header(`package/${path}`, body.length, programs.has(path) ? 0o755 : 0o644), body, padding];
    });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/**
 * @param {string} path
 * @param {number} size
 * @param {number} mode
 */
function header(path, size, mode) {
  const [prefix, name] = parted(path);
  const block = Buffer.alloc(BLOCK);
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(MOMENT, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/**
 * @param {string} path
 * @returns {[prefix: string, name: string]}
 */
function parted(path) {
  if (path.length <= 100) return ['', path];
  for (let at = path.indexOf('/'); at >= 0 && at <= 155; at = path.indexOf('/', at + 1)) {
    if (path.length - at - 1 <= 100) return [path.slice(0, at), path.slice(at + 1)];
  }
  throw new Error(`${path} is too long for a package.`);
}
