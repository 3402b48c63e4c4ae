import { LIMITS } from '../limits.js';
import { text, type Schema } from './schema.js';

const pattern = (regexp: string, patternErrorMessage: string) => ({ pattern: regexp, patternErrorMessage });

const ID = '[A-Za-z0-9_][A-Za-z0-9_-]{0,63}';
const FUNCTION = '[A-Za-z][A-Za-z0-9_-]{0,63}';
const APP = '[A-Za-z0-9][A-Za-z0-9_-]{0,63}';

// The pattern of semver.org, which does not backtrack.
const SEMVER =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$';

export const appId = (description: string): Schema =>
  text(
    description,
    pattern(`^${APP}$`, 'must be 1 to 64 letters, digits, "_" and "-", beginning with a letter or digit'),
  );

export const semver = (description: string): Schema =>
  text(description, { ...pattern(SEMVER, 'must be a semantic version such as "1.0.0"'), maxLength: 64 });

export const STEP_ID = pattern(`^${ID}$`, 'must be 1 to 64 letters, digits, "_" and "-", not beginning with "-"');

export const functionName = (description: string): Schema =>
  text(description, pattern(`^${FUNCTION}$`, 'must be 1 to 64 letters, digits, "_" and "-", beginning with a letter'));

export const callAction = (description: string): Schema =>
  text(
    description,
    pattern(`^(${APP}\\.)?${FUNCTION}$`, 'must be the name of a function of this app, or "<app_id>.<function>"'),
  );

export const eventType = (description: string): Schema =>
  text(description, {
    ...pattern('^[A-Za-z0-9][A-Za-z0-9_-]*([.:][A-Za-z0-9_-]+)+$', 'must be an event type such as "notes.created"'),
    maxLength: 150,
  });

/** Schema of the type of events for a handler, or of a pattern such as `notes.*`. */
export const eventPattern = (description: string): Schema =>
  text(description, {
    ...pattern(
      '^[A-Za-z0-9][A-Za-z0-9_-]*([.:][A-Za-z0-9_-]+)*[.:]([A-Za-z0-9_-]+|\\*)$',
      'must be an event type such as "notes.created", or "notes.*" for all types that begin with "notes."',
    ),
    maxLength: 150,
  });

export const ownEvent = (description: string): Schema =>
  text(description, {
    ...pattern('^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$', 'must be the name of an event such as "created"'),
    maxLength: 80,
  });

export const webhookPath = (description: string): Schema =>
  text(description, {
    ...pattern(
      // Path as the panel forwards it: no program on the way resolves it to another path.
      '^/?(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)*/?$',
      'must be a path of letters, digits, "-", ".", "_" and "~", such as "github/push", without the parts "." and ".."',
    ),
    maxLength: 200,
  });

export const webAddress = (description: string): Schema =>
  text(description, {
    ...pattern(
      "^https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?([/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]*)?$",
      'must be an address such as "https://notes.example.com"',
    ),
    maxLength: 500,
  });

export const shortName = (description: string): Schema => text(description, STEP_ID);

export const collection = (description: string): Schema =>
  text(
    description,
    pattern('^[^:*?\\[\\]/\\s]{1,64}$', 'must be at most 64 characters without spaces and : * ? [ ] /'),
  );

export const headerName = (description: string): Schema =>
  text(description, pattern("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", 'must be the name of an HTTP header'));

export const redirectHost = (description: string): Schema =>
  text(description, {
    ...pattern(
      '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+(:[0-9]{1,5})?$',
      'must be a host name in lower case, such as "app.example.com", with the port unless it is 443',
    ),
    maxLength: LIMITS.hostLength,
    examples: ['app.example.com'],
  });

export const EGRESS_HOST =
  '^(\\*|([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\\[[0-9a-f:.]{2,45}\\])(:[0-9]{1,5})?)$';

export const egressHost = (description: string): Schema =>
  text(description, {
    ...pattern(
      EGRESS_HOST,
      'must be a host name in lower case, such as "api.example.com", with the port unless it is 80 or 443; or "*"',
    ),
    maxLength: LIMITS.hostLength,
    examples: ['api.example.com'],
  });

export const secretName = (description: string): Schema =>
  text(
    description,
    pattern('^[a-z][a-z0-9_]{0,62}$', 'must be 1 to 63 lower-case letters, digits and "_", beginning with a letter'),
  );

export const moduleName = (description: string): Schema =>
  text(
    description,
    pattern(
      '^[a-z][a-z0-9_-]{0,31}$',
      'must be 1 to 32 lower-case letters, digits, "_" and "-", beginning with a letter',
    ),
  );

export const settingName = (description: string): Schema =>
  text(description, {
    ...pattern(
      '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$',
      'must be lower-case names with dots between them, such as "mail.sender"',
    ),
    maxLength: 100,
  });
