import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Labels that Prometheus adds to each target, and `le` of histograms. */
const LABELS_OF_TARGETS = ['job', 'namespace', 'pod', 'service', 'le'];
const METRICS_OF_PROMETHEUS: Record<string, string[]> = { up: [] };
const SUFFIXES = ['_bucket', '_count', '_sum'];

/**
 * All metrics of the services with their label names: those that the sources declare, and those of
 * Node.js.
 */
export async function metricsOfServices(): Promise<Map<string, string[]>> {
  const metrics = new Map(Object.entries(METRICS_OF_PROMETHEUS));
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  for (const { name } of await ofNode.getMetricsAsJSON()) metrics.set(name, []);
  const sources = sourceFiles().map((file) => readFileSync(file, 'utf8'));
  const peers = sources
    .flatMap((source) => (/new Service(Client|Calls)\(/.test(source) ? [...source.matchAll(/service: '(\w+)'/g)] : []))
    .map(([, name = '']) => name);
  for (const source of sources) {
    for (const [, body = ''] of source.matchAll(
      /new (?:Counter|Gauge|Histogram)(?:<[^>]*>)?\(\{([\s\S]*?)registers/g,
    )) {
      const name = /\bname: ['`]([^'`]+)['`]/.exec(body)?.[1] ?? '';
      const labels = [...(/labelNames: \[([^\]]*)\]/.exec(body)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
        ([, label = '']) => label,
      );
      for (const peer of name.includes('${service}') ? peers : [''])
        metrics.set(name.replace('${service}', peer), labels);
    }
  }
  return metrics;
}

const sourceFiles = (): string[] =>
  ['apps', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );

/** Metrics that an expression reads, and the labels that it selects or groups by. */
export function readsOf(expression: string): { errors: string[]; metrics: string[]; labels: string[] } {
  const found = { errors: [] as string[], metrics: [] as string[], labels: [] as string[] };
  parser.parse(expression).iterate({
    enter: ({ type, from, to, node }) => {
      const text = expression.slice(from, to);
      if (type.isError) found.errors.push(`at ${from}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') found.metrics.push(text);
      if (type.name === 'LabelName') found.labels.push(text);
    },
  });
  return found;
}

const nameOf = (metric: string, metrics: Map<string, string[]>): string | undefined =>
  [metric, ...SUFFIXES.flatMap((suffix) => (metric.endsWith(suffix) ? metric.slice(0, -suffix.length) : []))].find(
    (name) => metrics.has(name),
  );

/** Metrics in an expression that do not exist, and labels that none of its metrics has. */
export function unknownTo(metrics: Map<string, string[]>, expression: string): { metrics: string[]; labels: string[] } {
  const reads = readsOf(expression);
  const known = reads.metrics.flatMap((metric) => metrics.get(nameOf(metric, metrics) ?? '') ?? []);
  return {
    metrics: reads.metrics.filter((metric) => !nameOf(metric, metrics)),
    labels: reads.labels.filter((label) => ![...LABELS_OF_TARGETS, ...known].includes(label)),
  };
}
