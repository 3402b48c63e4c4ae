import 'reflect-metadata';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { developmentEnvironment, parseConfig } from '@platform/platform';
import { str } from 'envalid';
import { verifyAudit } from '../apps/auth-gateway/src/audit/verify-audit.js';
import { database } from '../apps/auth-gateway/src/database.js';

const HELP = `Usage: npm run audit:verify

Follows the hash chain of the audit log and names every entry that was changed, removed or added behind the platform's back. Exit code 1
when there is one. Reads DATABASE_URL, or the database that \`npm start\` runs.`;

async function verify(): Promise<boolean> {
  const { DATABASE_URL } = parseConfig(
    { DATABASE_URL: str({ desc: 'start the platform first, or name its database' }) },
    { DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '', ...developmentEnvironment() },
  );
  const dataSource = createDataSource(database(DATABASE_URL, 1));
  await dataSource.initialize();
  try {
    const { entries, problems } = await verifyAudit(dataSource);
    for (const problem of problems) console.error(problem);
    console.log(`${entries} entries checked, ${problems.length} problems`);
    const heads = await dataSource.query<{ tenant_id: string; sequence: string; hash: string }[]>(
      "SELECT tenant_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads ORDER BY tenant_id",
    );
    for (const { tenant_id: tenantId, sequence, hash } of heads) console.log(`head of ${tenantId}: ${sequence} ${hash}`);
    return problems.length === 0;
  } finally {
    await dataSource.destroy();
  }
}

if (process.argv[2] !== 'verify') {
  console.log(HELP);
  process.exit(process.argv[2] === '--help' ? 0 : 1);
}
try {
  if (!(await verify())) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
