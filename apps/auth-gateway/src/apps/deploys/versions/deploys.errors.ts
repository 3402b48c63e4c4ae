import { MAX_REQUESTED_SCOPES, type AppStatus } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

const MOST_VERSIONS_NAMED = 20;

const IN_WORDS: Record<AppStatus, string> = {
  draft: 'a draft',
  pending_review: 'under review',
  active: 'in the marketplace',
  suspended: 'suspended',
};

export const DeployErrors = {
  notFound: () => new AppError(404, 'deploy.not_found', 'There is no such deploy.'),
  recordForbidden: () => new AppError(403, 'deploy.record_forbidden', 'Only a trusted backend records a finished deploy.'),
  versionTaken: (version: string, status: AppStatus) =>
    new AppError(
      409,
      'deploy.version_taken',
      `There is a version ${version} with other content, and the app is ${IN_WORDS[status]}, so its versions never change: give the new one another number.`,
    ),
  /** @param versions the newest first. */
  versionUnknown: (version: string, versions: readonly string[]) =>
    new AppError(409, 'deploy.version_unknown', `There is no version ${version} of this app. ${listed(versions)}`, {
      details: { versions: versions.slice(0, MOST_VERSIONS_NAMED) },
    }),
  replacedMeanwhile: (version: string) =>
    new AppError(503, 'deploy.replaced_meanwhile', `Version ${version} was given other content while it was deployed.`),
  formerAppThere: () => new AppError(503, 'deploy.former_app', 'A deleted app of this name is still being removed from the Registry.'),
  ownerless: () => new AppError(409, 'app.ownerless', 'An app without a developer is one of the system.'),
  nothingServed: () =>
    new AppError(409, 'app.nothing_served', 'An active app serves a version, unless it is one of the system. Deploy one first.'),
  manifestTooLarge: () => invalid(['manifest_json'], 'Its functions may have at most 1 MiB as JSON', 'too_long'),
  tooManyScopes: () => invalid(['ir_dict'], `A version may ask for at most ${MAX_REQUESTED_SCOPES} scopes`, 'too_long'),
  versionMissing: () => invalid(['version'], 'Field required', 'missing'),
  versionDiffers: () => invalid(['version'], 'The document has another version', 'value_error'),
};

const invalid = (path: string[], msg: string, type: string) => new ValidationFailed([{ loc: ['body', ...path], msg, type }]);

function listed(versions: readonly string[]): string {
  if (!versions.length) return 'There is none yet.';
  return `There are: ${versions.slice(0, MOST_VERSIONS_NAMED).join(', ')}${versions.length > MOST_VERSIONS_NAMED ? ', …' : ''}.`;
}
