import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

/**
 * Fake of the public npm registry. It serves the packages installed in this workspace, and records
 * the requested names.
 */
export class FakeNpmRegistry {
  readonly asked = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeNpmRegistry> {
    const registry = new FakeNpmRegistry(createServer());
    registry.server.on('request', ({ url = '' }, response) =>
      registry.answer(decodeURIComponent(url.slice(1)), response),
    );
    registry.server.listen(0, '127.0.0.1');
    await once(registry.server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(path: string, response: ServerResponse): void {
    const [name = '', file] = path.split('/-/');
    this.asked.add(name);
    const folder = resolve('node_modules', name);
    const manifest = resolve(folder, 'package.json');
    if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name) || !existsSync(manifest)) {
      response.writeHead(404).end('{}');
      return;
    }
    if (file !== undefined) {
      response.writeHead(200);
      const tar = spawn('tar', [
        '-cz',
        '--transform',
        's,^[.],package,',
        '-C',
        folder,
        '--exclude',
        './node_modules',
        '.',
      ]);
      tar.stdout.pipe(response);
      return;
    }
    const { version, ...described } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    const tarball = `${this.url}/${name}/-/${version}.tgz`;
    const versions = { [version]: { ...described, version, dist: { tarball } } };
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  }
}
