import { MAX_REQUESTED_SCOPES, type AppStatus } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

const MAX_VERSIONS_NAMED = 20;

const IN_WORDS: Record<AppStatus, string> = {
  draft: 'a draft',
  pending_review: 'under review',
  active: 'in the marketplace',
  suspended: 'suspended',
};

export const DeployErrors = {
  notFound: () => new AppError(404, 'deploy.not_found', 'There is no such deploy.'),
  recordForbidden: () =>
    new AppError(403, 'deploy.record_forbidden', 'Only a trusted backend can record a finished deploy.'),
  versionTaken: (version: string, status: AppStatus) =>
    new AppError(
      409,
      'deploy.version_taken',
      `Version ${version} already exists with other content, and the app is ${IN_WORDS[status]}, so its versions cannot change. Deploy with a new version number.`,
    ),
  /** @param versions newest first. */
  versionUnknown: (version: string, versions: readonly string[]) =>
    new AppError(409, 'deploy.version_unknown', `This app has no version ${version}. ${listed(versions)}`, {
      details: { versions: versions.slice(0, MAX_VERSIONS_NAMED) },
    }),
  replacedMeanwhile: (version: string) =>
    new AppError(503, 'deploy.replaced_meanwhile', `Version ${version} got other content during this deploy.`),
  formerAppThere: () =>
    new AppError(
      503,
      'deploy.former_app',
      'An earlier, deleted app with this app_id is still being removed from the Registry.',
    ),
  ownerless: () => new AppError(409, 'app.ownerless', 'Only a system app can have no developer.'),
  nothingServed: () => new AppError(409, 'app.nothing_served', 'An active app must serve a version. Deploy one first.'),
  manifestTooLarge: () =>
    invalid(['manifest_json'], 'The functions of a version can have at most 1 MiB as JSON', 'too_long'),
  tooManyScopes: () => invalid(['ir_dict'], `A version can request at most ${MAX_REQUESTED_SCOPES} scopes`, 'too_long'),
  versionMissing: () => invalid(['version'], 'Field required', 'missing'),
  versionDiffers: () => invalid(['version'], 'Must be the version in the document', 'value_error'),
};

const invalid = (path: string[], msg: string, type: string) =>
  new ValidationFailed([{ loc: ['body', ...path], msg, type }]);

function listed(versions: readonly string[]): string {
  if (!versions.length) return 'It has no versions yet.';
  return `Its versions: ${versions.slice(0, MAX_VERSIONS_NAMED).join(', ')}${versions.length > MAX_VERSIONS_NAMED ? ', …' : ''}.`;
}
