import { runInNewContext } from 'node:vm';
import { leanSubtrees } from './docs-subtrees.js';

type Resolve = ReturnType<typeof leanSubtrees>['fn']['resolveSubtree'];

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const DOCUMENT = {
  openapi: '3.1.0',
  servers: [{ url: '/' }],
  paths: {
    '/trees': {
      parameters: [reference('parameters', 'Page')],
      get: { responses: { 200: { content: { 'application/json': { schema: reference('schemas', 'Tree') } } } } },
    },
    '/cities': { get: { responses: { 200: reference('responses', 'City') } } },
    '/elsewhere': { get: { responses: { 200: { $ref: 'https://example.com/answers.json' } } } },
    '/within': { get: { responses: { 200: { $ref: '#/paths/~1cities/get/responses/200' } } } },
    '/gone': { get: { responses: { 200: reference('responses', 'Gone') } } },
  },
  components: {
    schemas: {
      Tree: { properties: { leaves: { items: reference('schemas', 'Leaf') } } },
      Leaf: { properties: { tree: reference('schemas', 'Tree') } },
      City: { type: 'string' },
    },
    responses: { City: { content: { 'application/json': { schema: reference('schemas', 'City') } } } },
    parameters: { Page: { name: 'page', in: 'query' } },
    securitySchemes: { bearer: { type: 'http' }, service: { type: 'apiKey' } },
  },
};
const { components } = DOCUMENT;

/**
 * Runs the function from its text alone, like a browser. Returns the arguments that Swagger UI
 * gets.
 */
function given(path: string[]): Parameters<Resolve> {
  const plugin = runInNewContext(`(${String(leanSubtrees)})`) as typeof leanSubtrees;
  const resolveSubtree: Resolve = (...parameters) => parameters;
  return plugin({ fn: { resolveSubtree } }).fn.resolveSubtree(DOCUMENT, path, { baseDoc: '' }) as Parameters<Resolve>;
}

it.each([
  [
    ['paths', '/trees', 'get'],
    { schemas: { Tree: components.schemas.Tree, Leaf: components.schemas.Leaf }, parameters: components.parameters },
  ],
  [['paths', '/cities', 'get'], { responses: components.responses, schemas: { City: components.schemas.City } }],
])('resolves %j in a document of that path and what it reaches', (path, reached) => {
  const [, name = ''] = path;
  const paths = { [name]: DOCUMENT.paths[name as keyof typeof DOCUMENT.paths] };
  expect(given(path)).toEqual([{ ...DOCUMENT, paths, components: reached }, path, { baseDoc: '' }]);
});

it.each([
  [['components', 'securitySchemes'], { securitySchemes: components.securitySchemes }],
  [['components', 'schemas'], { schemas: components.schemas }],
  [['components', 'schemas', 'Leaf'], { schemas: { Leaf: components.schemas.Leaf, Tree: components.schemas.Tree } }],
])('resolves %j in a document of those components and what they reach', (path, reached) => {
  expect(given(path)).toEqual([{ ...DOCUMENT, paths: {}, components: reached }, path, { baseDoc: '' }]);
});

it.each([
  ['what refers to another document', ['paths', '/elsewhere', 'get']],
  ['what refers to another path', ['paths', '/within', 'get']],
  ['what refers to a component that is not there', ['paths', '/gone', 'get']],
  ['another part of the document', ['info']],
  ['a path that is not there', ['paths', '/nowhere', 'get']],
  ['a component that is not there', ['components', 'schemas', 'Gone']],
])('leaves the whole document to %s', (_what, path) => {
  expect(given(path)[0]).toBe(DOCUMENT);
});

it('changes nothing in the document', () => {
  const before = structuredClone(DOCUMENT);
  given(['components', 'schemas', 'Leaf']);
  given(['paths', '/cities', 'get']);
  expect(DOCUMENT).toEqual(before);
});
