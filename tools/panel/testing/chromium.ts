import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Long enough for a busy machine. */
const START_TIMEOUT_MS = 80_000;

/** Options for a machine without a screen and without internet, where tests can run as root. */
const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

/**
 * Starts the Chromium of CHROMIUM_PATH, otherwise the system's, otherwise the one of an npm
 * package.
 * @throws Error that says how to install Chromium if none starts
 */
export async function launchChromium(): Promise<Browser> {
  try {
    const executablePath =
      process.env['CHROMIUM_PATH'] ?? INSTALLED.find((path) => existsSync(path)) ?? (await unpacked());
    return await chromium.launch({ executablePath, args: OPTIONS, headless: true, timeout: START_TIMEOUT_MS });
  } catch (cause) {
    throw new Error(
      'Chromium does not start. Install one (apt-get install chromium), or set CHROMIUM_PATH to its program.',
      { cause },
    );
  }
}

const UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/**
 * Unpacks the Chromium of the npm package, which unpacks itself into the folder for temporary
 * files. It gets its own folder, renamed to the final name when complete, because tests run in
 * parallel and can be killed.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(resolve('node_modules/@sparticuz/chromium/package.json'), 'utf8')) as {
    version: string;
  };
  // A folder for each user, since users cannot use or replace each other's files.
  const folder = join(tmpdir(), `platform-chromium-${version}-${userInfo().username}`);
  const program = join(folder, 'chromium');
  if (existsSync(program)) return program;
  const partial = mkdtempSync(`${folder}-`);
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    env: { ...process.env, TMPDIR: partial },
  });
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(program)) throw error;
  }
  return program;
}
