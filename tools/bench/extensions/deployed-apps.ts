import type { CallResponse } from '@platform/contracts';
import { documentHash } from '@platform/app-document';
import { Client } from 'pg';
import type { Measurement } from '../measurement.js';
import type { BenchPlatform } from '../platform/bench-platform.js';
import type { Sizes } from '../platform/size.js';
import { insertApp, parsed, RunningApp, SENT_DOCUMENT } from '../platform/running-app.js';
import { residentMegabytes } from '../services/services.js';

/**
 * Number of apps to measure, and of runs of one other app before. The runs come first because the
 * code that V8 compiles takes memory, too.
 */
const COUNTS: Sizes<{ count: number; warmUp: number }> = {
  full: { count: 1_000, warmUp: 500 },
  tiny: { count: 3, warmUp: 3 },
};
const MOST_MEGABYTES = 50;

export const deployedApps: Measurement = {
  title: 'Memory of deployed apps in the host',
  async measure({ platform }) {
    const megabytes = await megabytesOfApps(platform);
    const count = COUNTS[platform.size].count.toLocaleString('en');
    return {
      text: `${count} deployed apps cost the host ${megabytes.toFixed(0)} MB (bar: < ${MOST_MEGABYTES} MB)`,
      isReached: megabytes < MOST_MEGABYTES,
      figures: [megabytes],
    };
  },
};

/**
 * Additional memory of the host, in megabytes, after it has run a function of each of these apps,
 * which all have different documents.
 */
async function megabytesOfApps(platform: BenchPlatform): Promise<number> {
  const { count, warmUp } = COUNTS[platform.size];
  const apps = Array.from({ length: count }, (_value, at) =>
    parsed({ ...SENT_DOCUMENT, app_id: `bench-${at}`, name: `Bench ${at}` }),
  );
  const running = await RunningApp.inCommon(platform);
  try {
    const client = new Client({ connectionString: platform.databaseUrl, options: '-c search_path=gateway' });
    await client.connect();
    for (const document of apps) await insertApp(client, document);
    await client.end();
    const run = async (document: (typeof apps)[number]): Promise<void> => {
      const answer = await fetch(`${running.host.url}/v1/internal/runs`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Service-Token': platform.serviceToken },
        body: JSON.stringify({
          grant: 'not used',
          app_id: document.app.id,
          version: document.app.version,
          sha256: documentHash(document),
          function: 'read_note',
          params: { id: 'none' },
          user: null,
          tenant_id: 'default',
          chain: [],
          timeout_ms: 10_000,
        }),
      });
      const { status, error } = (await answer.json()) as CallResponse;
      if (status !== 'success') throw new Error(`${document.app.id}: ${error ?? answer.status}`);
    };
    for (let at = 0; at < warmUp; at++) await run(parsed(SENT_DOCUMENT));
    const before = await residentMegabytes(running.host);
    for (const document of apps) await run(document);
    return (await residentMegabytes(running.host)) - before;
  } finally {
    await running.stop();
  }
}
