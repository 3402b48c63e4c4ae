import { LIMITS } from '../limits.js';
import { moduleName } from './names.js';
import { nullable, object, text, type Schema } from './schema.js';

const SOURCE = text('JavaScript. It may import other modules of this document as `./name`, and nothing else.');

export const MODULE: Schema = {
  ...object('An ES module. A text is short for its `source`.', {
    'source!': SOURCE,
    source_map: nullable(text('The source map of the source, version 3, as JSON: errors are told by the lines that it leads to.')),
  }),
  type: ['string', 'object'],
};

export const MODULES: Schema = {
  type: 'object',
  description: 'The modules with the handlers that are written in JavaScript, by name.',
  propertyNames: moduleName('The name of the module.'),
  additionalProperties: MODULE,
  maxProperties: LIMITS.modules,
};

/** Where a handler in code is. */
export const CODE_PLACE: Record<string, Schema> = {
  'module!': moduleName('The module.'),
  entry: text('What it exports the handler as.', { minLength: 1, maxLength: 200, default: 'default' }),
};
