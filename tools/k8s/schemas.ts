import { objectOf, type Manifest, type Problem } from './manifests.js';

/** npm packages with the schemas of API groups that are not part of Kubernetes itself. */
const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

interface Model {
  validate: () => void;
}

/** The needed part of Ajv's errors. */
interface SchemaErrors {
  errors?: { instancePath: string; message?: string }[];
}

const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  `${PACKAGES[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;

/** Fields that are missing, have a wrong value, or are not in the object's schema. */
export async function violations(manifest: Manifest): Promise<Problem[]> {
  const object = objectOf(manifest);
  const Model = await modelOf(manifest);
  if (!Model) return [{ object, path: 'kind', message: `there is no ${manifest.kind} in ${manifest.apiVersion}` }];
  const reading = new Reading();
  const model = reading.watch(new Model(manifest.kind === 'Secret' ? unwrapped(manifest) : manifest));
  const problems: Problem[] = [];
  try {
    model.validate();
  } catch (error) {
    const { errors } = error as SchemaErrors;
    if (!errors) throw error;
    problems.push(
      ...errors.map(({ instancePath, message = 'is wrong' }) => ({ object, path: pathOf(instancePath), message })),
    );
  }
  return [
    ...problems,
    ...reading.unread().map((path) => ({ object, path: pathOf(path), message: 'its schema has no such field' })),
  ];
}

async function modelOf(manifest: Manifest): Promise<(new (data: Manifest) => Model) | undefined> {
  try {
    const models = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => Model>;
    return models[manifest.kind];
  } catch (error) {
    if (/MODULE_NOT_FOUND|PATH_NOT_EXPORTED/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Removes line breaks from base64 values: kustomize adds them, and the validator refuses them. */
const unwrapped = ({ data = {}, ...secret }: Manifest): Manifest => ({
  ...secret,
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value.replace(/\s/g, '')])),
});

/** Converts `/spec/ports/0` to `spec.ports[0]`. */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}${path && '.'}${part}`), '');

/**
 * Records the fields that a validator reads. Validators ignore fields that their schemas lack. So a
 * field is unknown if it stays unread while other fields of its object are read. An object without
 * any read field can have any fields.
 */
class Reading {
  private readonly objects: { path: string; unread: Set<string>; isAsked: boolean }[] = [];

  watch<T>(value: T, path = ''): T {
    if (typeof value !== 'object' || value === null) return value;
    const seen = { path, unread: new Set(Array.isArray(value) ? [] : Object.keys(value)), isAsked: false };
    this.objects.push(seen);
    const copy = Array.isArray(value)
      ? ([] as unknown as typeof value)
      : (Object.create(Object.getPrototypeOf(value) as object) as typeof value);
    for (const [name, inner] of Object.entries(value))
      Object.assign(copy, { [name]: this.watch<unknown>(inner, `${path}/${name.replaceAll('/', '~1')}`) });
    const ask = (name: string | symbol) => {
      if (typeof name !== 'string') return;
      seen.unread.delete(name);
      seen.isAsked = true;
    };
    return new Proxy(copy, {
      get: (target, name) => {
        ask(name);
        return Reflect.get(target, name) as unknown;
      },
      ownKeys: (target) => {
        seen.unread.clear();
        return Reflect.ownKeys(target);
      },
    });
  }

  /** JSON pointers to the unknown fields. */
  unread(): string[] {
    return this.objects
      .filter(({ isAsked }) => isAsked)
      .flatMap(({ path, unread }) => [...unread].map((name) => `${path}/${name}`));
  }
}
