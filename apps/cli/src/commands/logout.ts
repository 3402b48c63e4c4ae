import { call } from '@platform/client';
import type { Command } from 'commander';
import type { Context, ContextOf } from '../context.js';
import { describeFailure } from '../failures.js';

export function addLogout(program: Command, contextOf: ContextOf): void {
  program
    .command('logout')
    .description('sign out: end the session and remove its credentials from this computer')
    .action((_options: object, command: Command) => logout(contextOf(command)));
}

async function logout(context: Context): Promise<void> {
  const { store, output, settings } = context;
  await store.exclusively(async () => {
    const tokens = await store.load().catch(() => undefined); // a damaged file is removed too
    const failure = tokens && (await endSession(context, tokens.refreshToken));
    await store.remove();
    if (!tokens) {
      output.result({ status: 'not_signed_in', revoked: false }, `You were not signed in to ${settings.url}.`);
    } else if (failure) {
      output.note(
        `${failure}\nThe session may stay active on the platform for up to 30 days. End it in the panel or with \`platform sessions revoke\`.`,
      );
      output.result(
        { status: 'signed_out', revoked: false },
        `The credentials for ${settings.url} were removed from this computer.`,
      );
    } else {
      output.result({ status: 'signed_out', revoked: true }, `You are signed out of ${settings.url}.`);
    }
  });
}

/** Ends the session. Returns an error message, or undefined on success. */
async function endSession(context: Context, refreshToken: string): Promise<string | undefined> {
  try {
    await call(context.anonymous.POST('/v1/auth/logout', { body: { refresh_token: refreshToken } }));
    return undefined;
  } catch (error) {
    return describeFailure(error, context.settings).message;
  }
}
