import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './manifests.js';

/** Of groups that Kubernetes does not have by itself. */
const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  `${PACKAGES[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

type Models = Record<string, new (data: Manifest) => { validate: () => void }>;

/** What is missing in an object, or not as its schema says. Keys that the schema does not have are for `unknownKeys`. */
export async function violations(manifest: Manifest): Promise<string[]> {
  const models = (await import(moduleOf(manifest))) as Models;
  const Model = models[manifest.kind];
  if (!Model) return [`${nameOf(manifest)}: there is no such kind in ${manifest.apiVersion}`];
  try {
    new Model(manifest.kind === 'Secret' ? unwrapped(manifest) : manifest).validate();
    return [];
  } catch (error) {
    return [`${nameOf(manifest)}: ${(error as Error).message}`];
  }
}

/** kustomize breaks long values into lines, which base64 allows and the validator does not. */
const unwrapped = ({ data = {}, ...secret }: Manifest): Manifest => ({
  ...secret,
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value.replace(/\s/g, '')])),
});

const FILE = join(process.cwd(), 'tools/k8s/objects-to-check.ts');
const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** Keys that no schema has, and whatever else the compiler does not take of the objects, each written as a literal of its type. */
export function unknownKeys(manifests: Manifest[]): string[] {
  const lines = manifests.flatMap((manifest, at) => [
    `import type { I${manifest.kind} as T${at} } from '${moduleOf(manifest)}';`,
    `export const o${at}: T${at} = ${JSON.stringify(manifest, null, 1)};`,
  ]);
  const text = lines.join('\n');
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    getSourceFile: (name, ...rest) =>
      name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : disk.getSourceFile(name, ...rest),
    fileExists: (name) => name === FILE || disk.fileExists(name),
    readFile: (name) => (name === FILE ? text : disk.readFile(name)),
  };
  const program = ts.createProgram([FILE], OPTIONS, host);
  const file = program.getSourceFile(FILE);
  return [...program.getSemanticDiagnostics(file), ...program.getSyntacticDiagnostics(file)].map(({ messageText, start = 0 }) => {
    const at = [...text.slice(0, start).matchAll(/^export const o(\d+)/gm)].length - 1;
    return `${manifests[at] ? nameOf(manifests[at]) : 'imports'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
