import { ApiError, call, type DeveloperProfileResponse, type PlatformClient } from '@platform/client';
import type { Context } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { askLine } from '../text/ask-line.js';
import { printable } from '../text/printable.js';
import { isPersonThere } from '../text/terminal.js';

/**
 * The developer that the caller is. Whoever is none yet becomes one, to make the app: with the nickname that was given, or else that they are
 * asked for.
 *
 * @throws CommandError, before anybody becomes a developer, for an app that is somebody else's in the marketplace. Whose else it may be the
 * platform tells nobody before they are one.
 */
export async function ensureDeveloper(
  context: Context,
  client: PlatformClient,
  appId: string,
  nickname?: string,
): Promise<DeveloperProfileResponse> {
  const profile = await findProfile(client);
  if (profile) {
    const { nickname: present, display_name } = profile;
    if (nickname !== undefined && nickname !== present) {
      context.output.note(`You already are the developer ${printable(present ?? display_name)}: --nickname changes nothing.`);
    }
    return profile;
  }
  await requireFree(client, appId);
  const registered = nickname === undefined ? await registerByAsking(context, client) : await register(client, nickname);
  context.output.note(`You are a developer now, with the nickname ${printable(registered)}.`);
  return call(client.GET('/v1/developer/profile'));
}

/** Who is no developer has no app, so one of that id is somebody else's. */
async function requireFree(client: PlatformClient, appId: string): Promise<void> {
  try {
    await call(client.GET('/v1/marketplace/apps/{app_id}', { params: { path: { app_id: appId } } }));
  } catch (error) {
    // An API key needs `marketplace:read` to look.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return;
    throw error;
  }
  const message = `The app_id "${printable(appId)}" is already in use.`;
  throw new CommandError(message, ExitCode.failure, { code: 'app.id_taken' });
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
  if (!isPersonThere() || settings.json) {
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
