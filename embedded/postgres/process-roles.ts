import { createHmac } from 'node:crypto';
import postgres from 'postgres';

/**
 * Lets the roles that the migration created log in to the server of `adminUrl`, and returns their
 * URLs. Their passwords are derived from the administrator's, which they do not reveal.
 */
export async function allowProcessRoles(adminUrl: string) {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const urlOf = async (role: string): Promise<string> => {
    const url = new URL(adminUrl);
    const password = createHmac('sha256', url.password).update(role).digest('base64url');
    const [row] = await sql<[{ statement: string }]>`
      select format('alter role %I login password %L', ${role}::text,
        ${password}::text) as statement`;
    await sql.unsafe(row.statement);
    url.username = role;
    url.password = password;
    return url.href;
  };
  try {
    return {
      apiUrl: await urlOf('vendor_gateway_api'),
      workerUrl: await urlOf('vendor_gateway_worker'),
    };
  } finally {
    await sql.end();
  }
}

/** The connection URLs of the API and of the worker, each under its own role. */
export type ProcessUrls = Readonly<Awaited<ReturnType<typeof allowProcessRoles>>>;
