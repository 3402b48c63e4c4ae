import { speedTrick } from './speed-trick.js';

/**
 * Replaces: for each operation that is opened on `/docs`, swagger-client (`resolveSubtree`) copies
 * and normalizes the whole document. Here it gets a document with only this path and the components
 * that it refers to. The result is the same.
 * Gains: see docs/performance.md.
 * Off: SPEED_TRICKS_OFF=docs-subtrees.
 */
export const docsSubtrees = speedTrick('docs-subtrees', 'swagger-ui-dist', '5.33.0');

interface Document {
  paths?: Record<string, unknown>;
  components?: Record<string, Record<string, unknown>>;
}

/**
 * `path`: a place in the document, such as `['paths', '/v1/auth/me', 'get']` or `['components',
 * 'securitySchemes']`.
 */
type ResolveSubtree = (document: Document, path: readonly string[], options?: object) => unknown;

/**
 * A plugin of Swagger UI that resolves a part of the document with only the components that it
 * refers to, which is faster. Its source text is sent to browsers, so it must not use anything
 * outside of itself. Use only methods inside: esbuild would wrap a named function in `__name(…)`,
 * which browsers do not have. For a place that is missing, or refers to anything other than a
 * component, swagger-client gets the whole document, as without the plugin.
 */
export function leanSubtrees({ fn: { resolveSubtree } }: { fn: { resolveSubtree: ResolveSubtree } }): {
  fn: { resolveSubtree: ResolveSubtree };
} {
  return {
    fn: {
      resolveSubtree(document, path, options) {
        const [part, name = '', key] = path;
        const item = document.paths?.[name];
        const ofKind = document.components?.[name];
        const paths: Record<string, unknown> = {};
        const components: Record<string, Record<string, unknown>> = {};
        if (part === 'paths' && item) paths[name] = item;
        else if (part === 'components' && ofKind && key === undefined) components[name] = { ...ofKind };
        else if (part === 'components' && ofKind && key !== undefined && key in ofKind)
          components[name] = { [key]: ofKind[key] };
        else return resolveSubtree(document, path, options);
        const unread: unknown[] = [paths, components];
        while (unread.length) {
          const node = unread.pop();
          if (typeof node !== 'object' || node === null) continue;
          if ('$ref' in node && typeof node.$ref === 'string') {
            const [, kind = '', called = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(node.$ref) ?? [];
            const component = document.components?.[kind]?.[called];
            if (component === undefined) return resolveSubtree(document, path, options);
            const kept = (components[kind] ??= {});
            if (!Object.hasOwn(kept, called)) {
              kept[called] = component;
              unread.push(component);
            }
          }
          unread.push(...(Object.values(node) as unknown[]));
        }
        return resolveSubtree({ ...document, paths, components }, path, options);
      },
    },
  };
}
