import { LIMITS } from '../limits.js';
import { moduleName } from './names.js';
import { nullable, object, text, type Schema } from './schema.js';

const SOURCE = text('JavaScript. It can only import other modules of this document, as `./name`.');

export const MODULE: Schema = {
  ...object('An ES module. A text is short for an object with this `source`.', {
    'source!': SOURCE,
    source_map: nullable(
      text('Source map (version 3) as JSON text. Errors then name the lines of the original files.'),
    ),
  }),
  type: ['string', 'object'],
};

export const MODULES: Schema = {
  type: 'object',
  description: 'JavaScript modules with handlers, by name.',
  propertyNames: moduleName('Name of the module.'),
  additionalProperties: MODULE,
  maxProperties: LIMITS.modules,
};

/** Position of a handler in code. */
export const CODE_PLACE: Record<string, Schema> = {
  'module!': moduleName('Name of the module.'),
  entry: text('Name of the export.', { minLength: 1, maxLength: 200, default: 'default' }),
};
