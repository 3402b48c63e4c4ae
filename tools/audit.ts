import 'reflect-metadata';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { developmentEnvironment, keyring, parseConfig } from '@platform/platform';
import { str } from 'envalid';
import { parseArgs } from 'node:util';
import { AuditAnchors } from '../apps/auth-gateway/src/audit/audit-anchors.js';
import { AuditSealer } from '../apps/auth-gateway/src/audit/audit-sealer.js';
import { protectAudit } from '../apps/auth-gateway/src/audit/protect-audit.js';
import { verifyAudit } from '../apps/auth-gateway/src/audit/verify-audit.js';
import { database } from '../apps/auth-gateway/src/database.js';

const HELP = `Usage: npm run audit:verify [-- --anchor <file>]
       npm run audit:anchor [-- --anchor <file>]
       npm run audit:protect [-- <role> …]

  verify    follows the chain of every tenant and names every entry that was changed, removed or added behind the platform's back, and
            compares with the anchor, a file that the database cannot reach. Exit code 1 when something does not hold
  anchor    seals what is not sealed yet, and writes the last seal of every tenant to the anchor
  protect   gives the audit log to the role platform_audit, so that the role that runs this and the ones named can only append

The anchor is AUDIT_ANCHOR_FILE, on a machine that nobody configured .data/audit-anchors.jsonl; a log of the gateway serves as well, and
--anchor may be given several times. Reads DATABASE_URL and SECRET_KEYS, or what \`npm start\` uses.`;

const DATABASE = { DATABASE_URL: str({ desc: 'start the platform first, or name its database' }) };
const KEYS = {
  SECRET_KEYS: keyring({ desc: 'the secret keys of the gateway' }),
  AUDIT_ANCHOR_FILE: str({ default: '', devDefault: '.data/audit-anchors.jsonl' }),
};

async function run(command: string | undefined, files: string[], roles: string[]): Promise<boolean> {
  const env = { DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '', ...developmentEnvironment() };
  const { DATABASE_URL } = parseConfig(DATABASE, env);
  const dataSource = createDataSource(database(DATABASE_URL, 2));
  await dataSource.initialize();
  try {
    if (command === 'protect') {
      const { isProtected, reason } = await protectAudit(dataSource, roles);
      console.log(isProtected ? 'The audit log belongs to platform_audit.' : `Nothing was changed: ${reason ?? ''}`);
      return isProtected;
    }
    const { SECRET_KEYS, AUDIT_ANCHOR_FILE } = parseConfig(KEYS, env);
    const anchors = files.length ? files : [AUDIT_ANCHOR_FILE].filter(Boolean);
    if (command === 'anchor') {
      const [file = ''] = anchors;
      const log = { info: console.log, debug: () => undefined, error: console.error };
      const sealer = new AuditSealer(dataSource, SECRET_KEYS, new AuditAnchors(file, log), log);
      await sealer.sealAll();
      await sealer.anchorAll();
      if (file) console.log(`The last seals are in ${file}.`);
      return true;
    }
    const { entries, unkeyed, problems, notes } = await verifyAudit(dataSource, { keyring: SECRET_KEYS, anchors });
    for (const problem of problems) console.error(problem);
    for (const note of notes) console.log(`Note: ${note}`);
    console.log(`${entries} entries checked, ${unkeyed} of them from before there were MACs; ${problems.length} problems`);
    return problems.length === 0;
  } finally {
    await dataSource.destroy();
  }
}

const [command, ...rest] = process.argv.slice(2);
const isHelp = [command, ...rest].includes('--help');
if (isHelp || !['verify', 'anchor', 'protect'].includes(command ?? '')) {
  console.log(HELP);
  process.exit(isHelp ? 0 : 1);
}
try {
  const { values, positionals } = parseArgs({
    args: rest,
    options: { anchor: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  if (!(await run(command, values.anchor ?? [], positionals))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
