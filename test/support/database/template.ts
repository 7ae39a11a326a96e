import postgres from 'postgres';

/** The migrated database that every test's own one is a copy of. */
export const TEMPLATE_DATABASE = 'gateway_template';

/**
 * Closes the template to connections, because Postgres copies a database only without connections.
 * Stores the password again, with one round of hashing instead of 4096: the tests open thousands of
 * connections, and each client repeats the rounds.
 */
export async function lockTemplate(adminUrl: string, password: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1 });
  try {
    await sql`
      alter database ${sql(TEMPLATE_DATABASE)} with is_template true allow_connections false`;
    await sql.unsafe(`alter role current_user password '${password}'`);
  } finally {
    await sql.end();
  }
}
