import type { OpenAPIObject } from '@nestjs/swagger';
import { existsSync, readFileSync } from 'node:fs';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
interface Response {
  $ref?: string;
  description: string;
  content?: Record<string, { schema?: object; examples?: Record<string, { $ref: string }> }>;
}
interface Example {
  summary: string;
  value: { code: string };
}

const SERVICES = ['auth-gateway', 'registry', 'ext-webhook-host'];
interface Recorded {
  request?: unknown;
  response?: unknown;
}
/** Recorded examples, by `<METHOD> <path>`. */
const recordedOf = (service: string): Record<string, Recorded> => {
  const file = `docs/openapi/examples/${service}.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>) : {};
};
const documents = SERVICES.map((service) => ({
  service,
  recorded: recordedOf(service),
  document: JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as OpenAPIObject,
}));

/** Every fault that `look` finds in an operation, with the operation. */
const faults = (
  look: (operation: Operation, document: OpenAPIObject, path: string) => (string | boolean | undefined)[],
): string[] =>
  documents.flatMap(({ service, document }) =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      (Object.entries(item) as [string, Operation][]).flatMap(([method, operation]) =>
        look(operation, document, path)
          .filter((fault) => typeof fault === 'string')
          .map((fault) => `${service}: ${method} ${path}: ${fault}`),
      ),
    ),
  );

const responsesOf = ({ responses }: Operation, { components }: OpenAPIObject): [status: string, response: Response][] =>
  (Object.entries(responses) as [string, Response][]).map(([status, response]) => {
    const shared = response.$ref && components?.responses?.[response.$ref.split('/').at(-1) ?? ''];
    return [status, shared ? (shared as Response) : response];
  });

/** Error codes in the examples of a response. */
const codesOf = ({ content }: Response): string[] => Object.keys(content?.['application/json']?.examples ?? {});

/** True for routes that apps answer. */
const ofApps = (path: string): boolean => path.startsWith('/v1/ext/');

it('there are such documents', () => expect(faults(() => ['x']).length).toBeGreaterThan(200));

it('every operation has a headline, a text that says more, and a name of its own', () => {
  const seen = new Set<string>();
  const of = ({ operationId = '', summary = '', description = '' }: Operation, { info }: OpenAPIObject) => {
    const name = `${info.title} ${operationId}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return [
      (isNew && /^[a-z][A-Za-z]+$/.test(operationId)) || `is called ${operationId}`,
      (summary.length > 5 && !/[`.]$/.test(summary)) || `has the headline ${summary}`,
      (description.length > summary.length + 20 && description.includes('\n\n')) ||
        'says nothing of who may call it: add `@Access`',
    ];
  };
  expect(faults((operation, document) => of(operation, document))).toEqual([]);
});

it('every operation is in a group that is described, and every group has operations', () => {
  for (const { document } of documents) {
    const used = new Set(
      Object.values(document.paths).flatMap((item) =>
        (Object.values(item) as Operation[]).flatMap(({ tags = [] }) => tags),
      ),
    );
    expect([...used].sort()).toEqual((document.tags ?? []).map(({ name }) => name).sort());
  }
  expect(faults(({ tags = [] }) => [tags.length === 1 || `is in ${tags.length} groups`])).toEqual([]);
  expect(
    documents.flatMap(({ document }) => document.tags ?? []).filter(({ description = '' }) => description.length < 10),
  ).toEqual([]);
});

it('no document tells of internal routes', () => {
  for (const { document } of documents) expect(JSON.stringify(document)).not.toContain('/v1/internal');
});

it('every operation says by which codes it refuses, of each status that it declares', () => {
  expect(
    faults((operation, document, path) =>
      responsesOf(operation, document).flatMap(([status, response]) => {
        if (!/^[45]/.test(status)) return [];
        const codes = codesOf(response);
        const named = codes.filter((code) => !response.description.includes(`\`${code}\``));
        return [
          codes.length > 0 || ofApps(path) || `has no code for ${status}`,
          named.length ? `does not name ${named.join()}` : true,
        ];
      }),
    ),
  ).toEqual([]);
});

it('every operation says what follows from its access and its input', () => {
  expect(
    faults((operation, document, path) => {
      const statuses = new Map(responsesOf(operation, document));
      const needed = [
        ...['400', '422', '500', '503'],
        ...(operation.security?.length ? ['401', '403'] : []),
        ...(operation.requestBody && !ofApps(path) ? ['408', '413', '415'] : []),
        ...('x-limited-by' in operation ? ['429'] : []),
      ];
      return needed.map((status) => statuses.has(status) || `does not declare ${status}`);
    }),
  ).toEqual([]);
});

/**
 * Operations without 404: their lists can be empty; a caller without access to the app is refused
 * even if it does not exist; the health of an unknown app is `unknown`.
 */
const FINDS_ALWAYS = new Set(['readExtensionStats', 'listInstalls', 'getAppHealth']);

it('what is named in a path may not be there', () => {
  const of = (operation: Operation, document: OpenAPIObject, path: string) => {
    if (!path.includes('{') || FINDS_ALWAYS.has(operation.operationId ?? '')) return [];
    return [responsesOf(operation, document).some(([status]) => status === '404') || 'does not declare 404'];
  };
  expect(faults(of)).toEqual([]);
});

it('every example of a refusal has the code by which it is called, and is there once', () => {
  for (const { document } of documents) {
    const examples = Object.entries((document.components?.examples ?? {}) as unknown as Record<string, Example>);
    expect(examples.filter(([name, { value }]) => value.code !== name.replace(/-\d+$/, ''))).toEqual([]);
    const said = examples.map(([, { summary, value }]) => `${value.code} ${summary}`);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
  }
});

/** Media types that need no example. */
const SELF_EVIDENT = new Set([
  'text/event-stream', // has no end
  'application/schema+json', // always the same schema
]);

it('every operation has an example of what is sent and of what is answered, which a test has sent and got', () => {
  const missing = documents.flatMap(({ service, document, recorded }) =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      (Object.entries(item) as [string, Operation][]).flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const { request, response } = recorded[name] ?? {};
        const types = responsesOf(operation, document).flatMap(([status, { content = {} }]) =>
          status.startsWith('2') ? Object.keys(content) : [],
        );
        return [
          ...(operation.requestBody && request === undefined ? [`${service}: ${name}: no request`] : []),
          ...(types.some((type) => !SELF_EVIDENT.has(type)) && response === undefined
            ? [`${service}: ${name}: no answer`]
            : []),
        ];
      }),
    ),
  );
  // To record examples, run `RECORD_EXAMPLES=1 npx jest <its spec>`, then `npm run openapi`.
  expect(missing).toEqual([]);
});

it('every example of a test is of an operation that there is, and is in its document', () => {
  const lost = documents.flatMap(({ service, document, recorded }) =>
    Object.entries(recorded).flatMap(([name, { request }]) => {
      const [method = '', path = ''] = name.split(' ');
      const operation = (document.paths[path] as Record<string, Operation> | undefined)?.[method.toLowerCase()];
      const bodies =
        operation?.requestBody && 'content' in operation.requestBody
          ? Object.values(operation.requestBody.content)
          : [];
      const isShown =
        request === undefined || bodies.some(({ example }) => JSON.stringify(example) === JSON.stringify(request));
      return operation && isShown ? [] : [`${service}: ${name}`];
    }),
  );
  expect(lost).toEqual([]);
});
