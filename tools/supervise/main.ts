import { join } from 'node:path';
import { followBuilds } from './builds.js';
import type { Context } from './context.js';
import { EmbeddedPostgres, withDevelopmentSecrets } from './libraries.js';
import { SupervisedPlatform } from './supervised-platform.js';
import { requireFreePorts } from './ports.js';
import { connectable } from './processes.js';
import { deploySampleApp } from './sample-app.js';
import { readSettings, urlsOf, type Settings } from './settings.js';
import { printSummary } from './summary.js';
import { watchSources } from './watch.js';

const SAMPLE = 'bookmark-keeper';

/**
 * Starts the platform and keeps it running until a request to stop. All its processes have ended
 * when this returns or throws.
 * @throws StartError if it does not start or cannot be kept running.
 */
export async function start(context: Context): Promise<void> {
  const { root, terminal, requested, forced } = context;
  const env = { ...withDevelopmentSecrets(process.env, join(root, '.data', 'dev.env')) };
  const settings = readSettings(env);
  await requireFreePorts(settings, ownPostgresPort(root));

  const failure = new AbortController();
  const report = (text: string) => terminal.line(terminal.style(text, 'yellow'));
  const giveUp = (error: unknown) => (context.watch ? terminal.failure(error) : failure.abort(error));
  const platform = new SupervisedPlatform(context, settings, env, { report, giveUp });
  forced.addEventListener('abort', () => platform.kill());
  const announce = async () => {
    context.runFile.announce(urlsOf(settings));
    await deploySample(context, settings, env);
    printSummary(context, settings, env);
  };
  try {
    await Promise.race([run(context, platform, announce), aborted(failure.signal), aborted(requested)]);
    failure.signal.throwIfAborted();
  } finally {
    // After a failure the terminal shows only the explanation.
    await (requested.aborted ? terminal.step('Stopping', 'Stopped', () => platform.stop()) : platform.stop());
  }
}

async function run(context: Context, platform: SupervisedPlatform, announce: () => Promise<void>): Promise<void> {
  const { root, terminal, requested, watch } = context;
  await platform.start();
  await announce();
  if (watch) watchSources(root, requested, () => rebuild(context, platform));
  else void followBuilds(join(root, 'dist', '.build'), requested, () => update(context, platform));
  terminal.line('Platform is ready');
  await aborted(requested);
}

/** Port of a PostgreSQL of this folder that a killed run possibly left. */
function ownPostgresPort(root: string): number | undefined {
  const url = EmbeddedPostgres.runningUrl(join(root, '.data', 'postgres'), 'postgres');
  return url === null ? undefined : Number(new URL(url).port);
}

/** Deploys a sample app for new users. The platform also runs if this fails. */
async function deploySample(
  { root, terminal, requested }: Context,
  { host, services }: Settings,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  const port = services.find(({ name }) => name === 'auth-gateway')?.port;
  if (!email || !password) return;
  const sample = { url: `http://${connectable(host)}:${port}`, email, password, name: SAMPLE };
  await terminal
    .step('Deploying the sample app', `The sample app ${SAMPLE} is deployed`, () => deploySampleApp(root, sample))
    .catch((error: unknown) => {
      if (!requested.aborted)
        terminal.line(terminal.style(`The sample app is not deployed: ${(error as Error).message}`, 'yellow'));
    });
}

/** Builds and restarts the services. If the build fails, they stay as they are. */
async function rebuild(context: Context, platform: SupervisedPlatform): Promise<void> {
  await attempt(context, async () => {
    if (await context.build()) await platform.update();
  });
}

async function update(context: Context, platform: SupervisedPlatform): Promise<void> {
  context.terminal.line('A new build was found.');
  await attempt(context, () => platform.update());
}

async function attempt({ requested, terminal }: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!requested.aborted) terminal.failure(error);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
