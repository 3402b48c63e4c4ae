import { readFileSync } from 'node:fs';
import { metricsOfServices, readsOf, unknownTo } from './promql.js';

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; legendFormat: string }[];
}

const { panels } = JSON.parse(readFileSync('deploy/grafana/platform.json', 'utf8')) as { panels: Panel[] };
const charts = panels.filter(({ type }) => type !== 'row');

/** Fills in variables like Grafana. */
const filledIn = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '2m').replaceAll('$service', '.*');

it.each(charts.map((panel) => [panel.title, panel] as const))(
  '%s shows metrics that there are',
  async (_title, { targets = [] }) => {
    const metrics = await metricsOfServices();
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of targets) {
      const reads = readsOf(filledIn(expr));
      expect(reads.errors).toEqual([]);
      expect(reads.metrics.length).toBeGreaterThan(0);
      expect(unknownTo(metrics, filledIn(expr))).toEqual({ metrics: [], labels: [] });
      const named = [...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => label);
      expect(named.filter((label) => !reads.labels.includes(label))).toEqual([]);
    }
  },
);
