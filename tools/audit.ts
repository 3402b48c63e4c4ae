import 'reflect-metadata';
import { createDataSource, EmbeddedPostgres } from '@platform/persistence';
import { developmentEnvironment, parseConfig } from '@platform/platform';
import { parseArgs } from 'node:util';
import { AuditAnchorsStore } from '../apps/auth-gateway/src/organisation/audit/audit-anchors.store.js';
import { AuditSealer } from '../apps/auth-gateway/src/organisation/audit/audit-sealer.js';
import { protectAudit } from '../apps/auth-gateway/src/organisation/audit/protect-audit.js';
import { verifyAudit } from '../apps/auth-gateway/src/organisation/audit/verify-audit.js';
import { database } from '../apps/auth-gateway/src/database.js';
import { AUDIT_VARIABLES, DATABASE_VARIABLES } from './operator-variables.js';

const HELP = `Usage: npm run audit:verify [-- --anchor <file>]
       npm run audit:anchor [-- --anchor <file>]
       npm run audit:protect [-- <role> …]

  verify    checks the audit log of every tenant and lists each entry that was changed, removed or added outside the platform.
            Compares the log with the anchor, a file that the database cannot reach. Exit code 1 if it finds a problem
  anchor    seals the entries that are not sealed yet, and writes the last seal of every tenant to the anchor
  protect   makes the role platform_audit the owner of the audit log, so that the current role and the named roles can only append

The anchor is the file AUDIT_ANCHOR_FILE (in development .data/audit-anchors.jsonl). A log file of the gateway works, too, and
verify accepts --anchor several times. Reads DATABASE_URL and SECRET_KEYS; by default uses the platform that \`npm start\` runs.`;

async function run(command: string, files: string[], roles: string[]): Promise<boolean> {
  const env = {
    DATABASE_URL: EmbeddedPostgres.runningUrl('.data/postgres', 'platform') ?? '',
    ...developmentEnvironment(),
  };
  const { DATABASE_URL } = parseConfig(DATABASE_VARIABLES, env);
  const dataSource = createDataSource(database(DATABASE_URL, 2));
  await dataSource.initialize();
  try {
    if (command === 'protect') {
      const { isProtected, writers, reason } = await protectAudit(dataSource, roles);
      if (isProtected)
        console.log(
          `The audit log belongs to platform_audit. These roles append to it: ${writers.join(', ') || 'none'}.`,
        );
      else console.error(`Nothing was changed: ${reason ?? ''}`);
      return isProtected;
    }
    const { SECRET_KEYS, AUDIT_ANCHOR_FILE } = parseConfig(AUDIT_VARIABLES, env);
    const anchors = files.length ? files : [AUDIT_ANCHOR_FILE].filter(Boolean);
    if (command === 'anchor') {
      const [file = ''] = anchors;
      const log = { info: console.log, debug: () => undefined, error: console.error };
      const sealer = new AuditSealer(dataSource, SECRET_KEYS, new AuditAnchorsStore(file, log), log);
      await sealer.sealAllTenants();
      await sealer.anchorAllTenants();
      if (file) console.log(`The last seals are in ${file}.`);
      return true;
    }
    const { entries, unknownKey, problems, notes } = await verifyAudit(dataSource, { keyring: SECRET_KEYS, anchors });
    for (const problem of problems) console.error(problem);
    for (const note of notes) console.log(`Note: ${note}`);
    if (anchors.length) console.log(`Compared with ${anchors.join(', ')}.`);
    const byHash = unknownKey
      ? `, ${unknownKey} of them, with MACs of keys that are not among SECRET_KEYS, only by their hashes and seals`
      : '';
    console.log(`${entries} entries checked${byHash}; ${problems.length} problems`);
    return problems.length === 0;
  } finally {
    await dataSource.destroy();
  }
}

/** Reads the arguments of a command. @throws Error if the command does not accept them. */
function parametersOf(command: string, args: string[]): { files: string[]; roles: string[] } {
  if (command === 'protect')
    return { files: [], roles: parseArgs({ args, options: {}, allowPositionals: true }).positionals };
  const { values, positionals } = parseArgs({
    args,
    options: { anchor: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  const [unexpected] = positionals;
  if (unexpected !== undefined) throw new Error(`Unexpected "${unexpected}"; did you mean --anchor ${unexpected}?`);
  const files = values.anchor ?? [];
  if (files.includes('')) throw new Error('--anchor needs the name of a file.');
  if (command === 'anchor' && files.length > 1)
    throw new Error('The command anchor writes to one file. Give --anchor only once.');
  return { files, roles: [] };
}

const [command = '', ...rest] = process.argv.slice(2);
const isHelp = [command, ...rest].includes('--help');
if (isHelp || !['verify', 'anchor', 'protect'].includes(command)) {
  if (!isHelp && command) console.error(`Unknown command "${command}"`);
  console.log(HELP);
  process.exit(isHelp ? 0 : 1);
}
try {
  const { files, roles } = parametersOf(command, rest);
  if (!(await run(command, files, roles))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
