import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses are stored, compared and mailed with their domain as DNS knows it (A-labels). Those of before are brought into that form,
 * which is the same domain in another spelling. One whose form is taken already is left as it is, and so is every local part: nobody's
 * identity changes here, and an operator decides about those that the present rules refuse (docs/identity.md). Changes the few rows whose
 * address is not ASCII, one by one, so it is safe on a live table.
 */
export class DomainsAsDnsKnowsThem1764402000001 implements MigrationInterface {
  name = 'DomainsAsDnsKnowsThem1764402000001';

  async up(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query(
      "SELECT id, email, email_canonical FROM users WHERE email ~ '[^ -~]' OR email_canonical ~ '[^ -~]'",
    )) as {
      id: string;
      email: string;
      email_canonical: string;
    }[];
    for (const { id, email, email_canonical } of rows) {
      const [mailed, compared] = [withAsciiDomain(email), withAsciiDomain(email_canonical)];
      if (!mailed || !compared || (mailed === email && compared === email_canonical)) continue;
      await runner.query(
        `UPDATE users u SET email = $2, email_canonical = $3 WHERE id = $1
           AND NOT EXISTS (SELECT 1 FROM users o WHERE o.tenant_id = u.tenant_id AND o.email_canonical = $3 AND o.id <> u.id)`,
        [id, mailed, compared],
      );
    }
  }

  /** The forms before are not kept; the older code finds these addresses by their new form only. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

function withAsciiDomain(address: string): string | null {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  return domain && address.slice(0, at + 1) + domain;
}
