import { ApiError, call, type DeveloperProfileResponse, type PlatformClient } from '@platform/client';
import type { Context } from '../context.js';
import { ExitCode } from '../exit-codes.js';
import { CommandError } from '../failures.js';
import { askLine } from '../text/ask-line.js';
import { printable } from '../text/printable.js';
import { isPersonThere } from '../text/terminal.js';

/**
 * Returns the developer profile of the caller. Registers the caller as a developer if needed, with
 * the given nickname or one that the user types; a typed nickname that is refused is asked for
 * again. Ignores `nickname`, with a note, if the caller is a developer already.
 *
 * @throws CommandError before the registration if an app in the marketplace has the app id (the
 * caller has none yet); or if no nickname is given, and the user types none or cannot be asked.
 * ApiError if the platform refuses the given nickname.
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
      context.output.note(
        `You are already registered as the developer ${printable(present ?? display_name)}: --nickname is ignored.`,
      );
    }
    return profile;
  }
  await requireFree(client, appId);
  const registered =
    nickname === undefined ? await registerByAsking(context, client) : await register(client, nickname);
  context.output.note(`You are now registered as a developer with the nickname ${printable(registered)}.`);
  return call(client.GET('/v1/developer/profile'));
}

/**
 * Checks that no app in the marketplace has the id. A caller who is not a developer has no apps, so
 * the app would belong to somebody else. Passes if the caller may not read the marketplace.
 *
 * @throws CommandError `app.id_taken` if an app has it.
 */
async function requireFree(client: PlatformClient, appId: string): Promise<void> {
  try {
    await call(client.GET('/v1/marketplace/apps/{app_id}', { params: { path: { app_id: appId } } }));
  } catch (error) {
    // An API key without `marketplace:read` cannot look.
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
    throw new CommandError(
      'You are not registered as a developer yet. Add --nickname <name> to register.',
      ExitCode.usage,
    );
  }
  output.note(
    'You are not registered as a developer yet. Choose a nickname, which users of your apps will see: 3 to 30 characters of a-z, 0-9, _ and -.',
  );
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
