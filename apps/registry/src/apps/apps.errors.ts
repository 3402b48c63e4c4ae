import { MAX_APP_SETTINGS_BYTES, MAX_MANIFEST_BYTES, MAX_TENANT_SETTINGS_BYTES } from '@platform/contracts';
import { AppError, ValidationFailed } from '@platform/platform';

const tooLong = (what: string, bytes: number) =>
  new ValidationFailed([{ loc: ['body'], msg: `${what} may have at most ${bytes} bytes as JSON`, type: 'too_long' }]);

export const AppErrors = {
  notFound: () => new AppError(404, 'app.not_found', 'There is no such app.'),
  exists: () => new AppError(409, 'app.exists', 'This app_id is already in use.'),
  nameMissing: () => new ValidationFailed([{ loc: ['body', 'display_name'], msg: 'Field required', type: 'missing' }]),
  notYours: () => new AppError(403, 'app.not_yours', 'Only the owner of an app may change it.'),
  otherLayer: () =>
    new AppError(
      403,
      'app.other_layer',
      'An administrator of a tenant can change only layers.tenants.{tenant_id} of that tenant. Only the platform can change other layers.',
    ),
  platformOnly: () =>
    new AppError(403, 'app.platform_only', 'Only a trusted backend or an administrator of the platform may do this.'),
  otherUser: () => new AppError(403, 'app.other_user', 'An API key can read only the data of its own user.'),
  versionNotHeld: () =>
    new AppError(409, 'app.version_not_held', 'There is no manifest of this version. Push it first.'),
  versionNotFound: () => new AppError(404, 'app.version_not_found', 'There is no manifest of this version.'),
  versionIsServed: () =>
    new AppError(
      409,
      'app.version_is_served',
      'This version is already served with a different manifest. Release the new manifest, or push another version.',
    ),
  versionIsHeld: () =>
    new AppError(
      409,
      'app.version_is_held',
      'The platform has already stored a different manifest of this version. Push another version, or deploy this one.',
    ),
  otherApp: () =>
    new ValidationFailed([
      { loc: ['body', 'app_id'], msg: 'This is the manifest of another app', type: 'value_error' },
    ]),
  versionMissing: () =>
    new ValidationFailed([{ loc: ['body', 'version'], msg: 'Required if release is false', type: 'missing' }]),
  sectionNameMissing: (at: number) =>
    new ValidationFailed([
      { loc: ['body', 'skeleton_sections', at, 'section_name'], msg: 'Field required', type: 'missing' },
    ]),
  manifestTooLarge: () => tooLong('The tools, and the skeleton sections,', MAX_MANIFEST_BYTES),
  settingsTooLarge: () =>
    new ValidationFailed([
      {
        loc: ['body'],
        msg: `The settings may have at most ${MAX_APP_SETTINGS_BYTES} bytes as JSON, and those of a tenant ${MAX_TENANT_SETTINGS_BYTES}`,
        type: 'too_long',
      },
    ]),
};
