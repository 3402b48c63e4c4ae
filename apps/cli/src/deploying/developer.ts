import { ApiError, call, type DeveloperProfileResponse, type PlatformClient } from '@platform/client';
import type { Context } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { askLine } from '../text/ask-line.js';
import { printable } from '../text/printable.js';

/** The developer that the caller is. Whoever is none yet becomes one: with the nickname that was given, or else that they are asked for. */
export async function ensureDeveloper(context: Context, client: PlatformClient, nickname?: string): Promise<DeveloperProfileResponse> {
  const profile = await findProfile(client);
  if (profile) return profile;
  const registered = nickname === undefined ? await registerByAsking(context, client) : await register(client, nickname);
  context.output.note(`You are a developer now, with the nickname ${printable(registered)}.`);
  return call(client.GET('/v1/developer/profile'));
}

async function findProfile(client: PlatformClient): Promise<DeveloperProfileResponse | null> {
  try {
    return await call(client.GET('/v1/developer/profile'));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'developer.not_registered') return null;
    throw error;
  }
}

async function register(client: PlatformClient, nickname: string): Promise<string> {
  return (await call(client.POST('/v1/developer/register', { body: { nickname } }))).nickname;
}

async function registerByAsking({ output, settings, interruption }: Context, client: PlatformClient): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY || settings.json) {
    throw new CommandError('You are no developer yet. Add --nickname <name> to become one.', ExitCode.usage);
  }
  output.note('You are no developer yet. Choose a nickname, which users of your apps see: 3 to 30 characters of a-z, 0-9, _ and -.');
  for (;;) {
    const nickname = await askLine('Nickname: ', { input: stdin, output: stderr, signal: interruption.signal });
    if (!nickname) throw new CommandError('Nothing was deployed.');
    try {
      return await register(client, nickname);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.code.startsWith('developer.nickname_')) throw error;
      output.note(printable(error.message));
    }
  }
}
