import { ApiError, call, ConnectionError, SignedOutError } from '@platform/client';
import type { Command } from 'commander';
import { NO_BUILDER } from '../app-document/extension-source.js';
import type { Context, ContextOf } from '../context.js';
import { CommandError, describeFailure } from '../failures.js';
import { servedPackages } from '../platform-about.js';
import { proxiedFetch } from '../network/proxied-fetch.js';
import { assertNamed } from '../settings.js';
import { printable } from '../text/printable.js';
import { VERSION } from '../version.js';

const MIN_NODE = [20, 19];

interface Check {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  text: string;
}

export function addDoctor(program: Command, contextOf: ContextOf): void {
  program
    .command('doctor')
    .description('check Node.js, the platform, your login and versions. Accepts PLATFORM_API_KEY')
    .action((_options: object, command: Command) => doctor(contextOf(command)));
}

async function doctor(context: Context): Promise<void> {
  const { output } = context;
  const ofPlatform = await platform(context);
  const isAway = ofPlatform.some(({ state }) => state === 'failed');
  const checks = [node(), await builder(), ...ofPlatform, ...(await login(context, isAway))];
  const lines = checks.map(({ name, state, text }) => {
    const [mark, colour] =
      state === 'ok'
        ? (['✔', 'green'] as const)
        : state === 'warning'
          ? (['!', 'yellow'] as const)
          : (['✖', 'red'] as const);
    return `${output.paint(colour, mark)} ${name.padEnd(9)} ${text}`;
  });
  const failed = checks.filter(({ state }) => state === 'failed').length;
  output.result({ ok: failed === 0, checks }, lines.join('\n'));
  if (failed) throw new CommandError(failed === 1 ? '1 check failed.' : `${failed} checks failed.`);
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needed = 0, least = 0] = MIN_NODE;
  const isNew = major > needed || (major === needed && minor >= least);
  const what = `Node.js ${process.versions.node}`;
  return {
    name: 'node',
    state: isNew ? 'ok' : 'failed',
    text: isNew ? what : `${what} is too old: ${MIN_NODE.join('.')} or later is required.`,
  };
}

async function builder(): Promise<Check> {
  try {
    const { version } = await import('esbuild');
    return { name: 'builder', state: 'ok', text: `esbuild ${version}, for apps in TypeScript and JavaScript` };
  } catch {
    return { name: 'builder', state: 'warning', text: NO_BUILDER };
  }
}

async function platform({ settings }: Context): Promise<Check[]> {
  const { url, urlHint } = settings;
  try {
    assertNamed(settings);
    const since = Date.now();
    const { ok, status } = await proxiedFetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) });
    if (!ok)
      throw new CommandError(`${url} answers, but not like a platform: status ${status} for /healthz. ${urlHint}`);
    const took = Date.now() - since;
    const { cli } = await servedPackages(settings);
    const reachable: Check = { name: 'platform', state: 'ok', text: `${url} answers in ${took} ms` };
    return [reachable, version(cli)];
  } catch (error) {
    const text = error instanceof CommandError ? error.message : `${url} cannot be reached. ${urlHint}`;
    return [{ name: 'platform', state: 'failed', text: printable(text) }];
  }
}

function version({ version: served, url }: { version: string; url: string }): Check {
  if (served === VERSION) return { name: 'version', state: 'ok', text: `${VERSION}, same as on the platform` };
  const text = `This is ${VERSION}, but the platform serves ${printable(served)}. Install it from ${printable(url)}`;
  return { name: 'version', state: 'warning', text };
}

/**
 * Checks if the user is signed in: `warning` if not, `failed` after another error. Empty if no
 * platform is named, or it does not answer, which is already reported.
 *
 * @param isAway true if the check of the platform failed.
 */
async function login(context: Context, isAway: boolean): Promise<Check[]> {
  const { settings } = context;
  if (settings.isMissing) return [];
  try {
    const { email, tenant_id, role } = await call(context.keyOrSession.GET('/v1/auth/me'));
    return [{ name: 'login', state: 'ok', text: printable(`${email}, ${role} of ${tenant_id}`) }];
  } catch (error) {
    const isOut = error instanceof SignedOutError || (error instanceof ApiError && error.status === 401);
    if (isAway && error instanceof ConnectionError) return [];
    return [{ name: 'login', state: isOut ? 'warning' : 'failed', text: describeFailure(error, settings).message }];
  }
}
