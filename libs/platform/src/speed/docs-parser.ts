import { speedTrick } from './speed-trick.js';

/**
 * Replaces: Swagger UI parses the document of `/docs` as YAML (js-yaml). The document is JSON, so
 * this parses it as JSON. Any other text is left to Swagger UI.
 * Gains: see docs/performance.md.
 * Off: SPEED_TRICKS_OFF=docs-parser.
 */
export const docsParser = speedTrick('docs-parser', 'swagger-ui-dist', '5.33.0');

interface Actions {
  specActions: { updateJsonSpec: (document: unknown) => unknown };
  errActions: { clear: (which: { source: string }) => unknown };
}
type ParseToJson = (text?: string) => unknown;

/**
 * A plugin of Swagger UI that parses the document of `/docs` as JSON. Swagger UI itself parses any
 * other text. Its source text is sent to browsers, so it must not use anything outside of itself.
 * Use only methods inside: esbuild would wrap a named function in `__name(…)`, which browsers do
 * not have.
 */
export function jsonParser(): {
  statePlugins: { spec: { wrapActions: { parseToJson: (parse: ParseToJson, actions: Actions) => ParseToJson } } };
} {
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson(parse, { specActions, errActions }) {
            return (text) => {
              let document: unknown;
              try {
                document = JSON.parse(text ?? '');
              } catch {
                return parse(text);
              }
              errActions.clear({ source: 'parser' });
              return specActions.updateJsonSpec(document);
            };
          },
        },
      },
    },
  };
}
