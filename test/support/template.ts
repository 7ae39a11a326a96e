import postgres from 'postgres';

/** The migrated database that every test's own one is a copy of. */
export const TEMPLATE_DATABASE = 'gateway_template';

/** Closes the template to connections, because Postgres copies a database only without connections. */
export async function lockTemplate(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1 });
  try {
    await sql`alter database ${sql(TEMPLATE_DATABASE)} with is_template true allow_connections false`;
  } finally {
    await sql.end();
  }
}
