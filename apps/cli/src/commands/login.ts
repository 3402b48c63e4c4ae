import { truncateText } from '@platform/contracts/text-lengths';
import { call, toTokens, type TokenResponse } from '@platform/client';
import { challengeOf, newVerifier } from '@platform/client/pkce';
import type { Command } from 'commander';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ContextOf } from '../context.js';
import { awaitDecision } from '../device-login/await-decision.js';
import { startWaitingLine } from '../device-login/waiting-line.js';
import { isReadableByOthers } from '../server-url.js';
import { printable } from '../text/printable.js';

const MAX_LABEL_LENGTH = 100;

interface LoginOptions {
  label: string;
  tenant?: string;
}

export function addLogin(program: Command, contextOf: ContextOf): void {
  program
    .command('login')
    .description('sign in with a code that you confirm in a browser, on any device')
    .option('--tenant <id>', 'organisation of your account; by default the one that the browser used last')
    .option('--label <text>', 'name of this login in the panel', defaultLabel())
    .addHelpText('after', '\nExample:\n  $ platform login --url https://platform.example.com --label "build server"')
    .action((options: LoginOptions, command: Command) => login(contextOf(command), options));
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const { output, settings, anonymous } = context;
  if (isReadableByOthers(settings.url))
    output.note(`Warning: the connection to ${settings.url} is not encrypted. Use https.`);
  const tokens = await deviceLogin(context, options);
  await replaceCredentials(context, tokens);
  const user = await call(
    anonymous.GET('/v1/auth/me', { headers: { Authorization: `Bearer ${tokens.access_token}` } }),
  );
  output.result(
    { url: settings.url, profile: settings.profile, user_id: user.id, email: user.email },
    `You are signed in to ${settings.url} as ${printable(user.email)}.`,
  );
}

async function deviceLogin(
  { anonymous: client, output, settings, interruption }: Context,
  { label, tenant }: LoginOptions,
): Promise<TokenResponse> {
  const verifier = newVerifier();
  const authorization = await call(
    client.POST('/v1/auth/cli/device/authorize', {
      body: { code_challenge: challengeOf(verifier), code_challenge_method: 'S256', label },
    }),
  );
  output.say(`To sign in to ${settings.url}, open this page in a browser:\n`);
  output.say(`  ${printable(pageFor(tenant, authorization.verification_uri_complete))}\n`);
  output.say(
    `and confirm the login if the page shows this code:\n\n  ${output.bold(printable(authorization.user_code))}\n`,
  );
  const waiting = startWaitingLine(Date.now() + authorization.expires_in * 1000, interruption.signal);
  try {
    return await awaitDecision({
      client,
      authorization,
      verifier,
      pause: delay,
      onTrouble: (text) => waiting.trouble(text),
    });
  } finally {
    waiting.stop();
  }
}

/**
 * Adds the tenant, if there is one, to the address of the page on which the user confirms the
 * login, so that the page asks for an account of that tenant. A browser that is already signed in
 * confirms with its current account.
 */
function pageFor(tenant: string | undefined, uri: string): string {
  if (!tenant) return uri;
  const page = new URL(uri);
  page.searchParams.set('tenant', tenant);
  return page.href;
}

/**
 * Stores the new session, then ends the previous one on the platform, if there was one: nothing
 * could use it any more, but it would stay in the list of sessions. If it cannot be ended, it
 * prints a note. A damaged file is replaced.
 */
async function replaceCredentials({ store, anonymous, output }: Context, tokens: TokenResponse): Promise<void> {
  const previous = await store.exclusively(async () => {
    const stored = await store.load().catch(() => undefined); // a damaged file is replaced too
    await store.save(toTokens(tokens));
    return stored;
  });
  if (!previous) return;
  await call(anonymous.POST('/v1/auth/logout', { body: { refresh_token: previous.refreshToken } })).catch(() =>
    output.note('Your previous session could not be ended. `platform sessions` lists it.'),
  );
}

function defaultLabel(): string {
  return truncateText(`platform CLI on ${printable(hostname())}`, MAX_LABEL_LENGTH);
}
