import { createTestDatabase } from '@platform/testing';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderRunner } from './image-runner.js';
import { ImagesPlatform } from './images-platform.js';
import { dockerfileOf, readTargets, stagesOf, targetsOf } from './targets.js';

interface Sbom {
  components: { name: string; version?: string; purl?: string }[];
}

const dockerfile = readFileSync('docker/Dockerfile', 'utf8');

it('every process has an image', () => {
  expect(readTargets().map(({ name }) => name)).toEqual([
    'auth-gateway',
    'auth-gateway-worker',
    'registry',
    'ext-webhook-host',
    'ext-webhook-host-worker',
    'panel',
    'operator',
    'development',
  ]);
});

it('an image has what the one that it begins with has, and a command of its own', () => {
  const targets = targetsOf(
    'FROM x AS base\nFROM base AS one\nCOPY --from=contents /images/both ./\nCMD ["a.js", "b"]\nFROM one AS two\nCMD ["c.js"]\n',
  );
  expect(targets).toEqual([
    { name: 'one', contents: 'both', command: ['a.js', 'b'] },
    { name: 'two', contents: 'both', command: ['c.js'] },
  ]);
  expect(() => targetsOf('FROM x AS one\nCMD ["a.js"]\n')).toThrow('The stage one copies no folder');
});

it('a stage can be built alone from the images of those before it', () => {
  const file = stagesOf(
    'ARG N=1\nFROM x AS base\nRUN a\nFROM base AS one\nCOPY --from=base /a ./\nCOPY --from=elsewhere /b ./\n',
  );
  expect(file.stages.map((stage) => dockerfileOf(stage, file))).toEqual([
    'ARG N=1\nFROM x AS base\nRUN a\n',
    'ARG N=1\nFROM localhost/platform/base AS one\nCOPY --from=localhost/platform/base /a ./\nCOPY --from=elsewhere /b ./\n',
  ]);
});

it('the build makes what the images copy', () => {
  const made = /for image in ([a-z -]+);/.exec(dockerfile)?.[1]?.split(' ');
  expect(made?.toSorted()).toEqual([...new Set(readTargets().map(({ contents }) => contents))].toSorted());
});

it('every program starts from what is in its image alone, serves and stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-images-'));
  const database = await createTestDatabase();
  const platform = new ImagesPlatform(new FolderRunner(folder), folder);
  try {
    for (const contents of new Set(readTargets().map((target) => target.contents)))
      execFileSync(process.execPath, ['tools/images/collect.mjs', contents, join(folder, contents)]);
    const packagesIn = (contents: string) => {
      const { components } = JSON.parse(readFileSync(join(folder, contents, 'sbom.cdx.json'), 'utf8')) as Sbom;
      expect(components.filter(({ version, purl }) => !version || !purl)).toEqual([]);
      return components.map(({ name }) => name);
    };
    expect(packagesIn('auth-gateway')).toEqual(
      expect.arrayContaining(['node', 'typeorm', 'pg', 'stripe', '@node-rs/argon2']),
    );
    expect(packagesIn('panel')).toEqual(expect.arrayContaining(['react-dom', 'pg']));
    expect(packagesIn('ext-webhook-host')).toContain('@jitl/quickjs-wasmfile-release-sync');
    expect(packagesIn('auth-gateway').filter((name) => ['react-dom', 'jest', 'vite', 'multer'].includes(name))).toEqual(
      [],
    );
    await platform.start(database.url);
    const answers = await Promise.all(
      [platform.addresses.panelUrl, `${platform.addresses.gatewayUrl}/docs`].map(async (url) =>
        (await fetch(url)).text(),
      ),
    );
    expect(answers).toEqual([expect.stringContaining('<!doctype html>'), expect.stringContaining('swagger')]);
    expect(platform.figures()).toHaveLength(8);
    const { port } = new URL(platform.addresses.gatewayUrl);
    const isWell = (path: string) =>
      spawnSync(process.execPath, ['tools/images/health.mjs', 'PORT', port, path]).status;
    expect([isWell('/readyz'), isWell('/nowhere')]).toEqual([0, 1]);
    await platform.stop();
  } catch (error) {
    throw new Error(platform.lastOutput(), { cause: error });
  } finally {
    await platform.stop().catch(() => undefined); // the failure was already thrown
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
