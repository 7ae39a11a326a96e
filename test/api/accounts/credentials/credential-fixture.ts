import { v7 as uuidv7 } from 'uuid';
import { insertCredential } from '../../../../db/accounts/credentials.ts';
import { capabilities, type Capability } from '../../../../domain/accounts/capabilities.ts';
import { newCredential } from '../../../../security/new-credential.ts';
import { newVendor, type TestVendor } from '../../../support/api/actors.ts';
import { call, textOf, type Answer, type Call, type Gateway } from '../../../support/api/api.ts';

/** What the list and the generation ask for (D52). */
export const inProduction = { 'x-service-environment': 'Production' } as const;

export type KnownSecret = { readonly clientId: string; readonly clientSecret: string };

/** What an answer shows this one time. */
export const secretOf = (made: Answer): KnownSecret => ({
  clientId: textOf(made, 'clientId'),
  clientSecret: textOf(made, 'clientSecret'),
});

/**
 * A vendor with one credential of its own, more of them as a test wants, and what its credential
 * routes answer.
 */
export type CredentialFixture = {
  readonly vendor: TestVendor;
  readonly list: (query?: string, token?: string) => Promise<Answer>;
  readonly generate: (body: Call['body'], token?: string) => Promise<Answer>;
  readonly remove: (id: string, body?: Call['body']) => Promise<Answer>;
  readonly setActive: (id: string, isActive: unknown) => Promise<Answer>;
  /**
   * Another credential, which no rule has looked at: as the operator issues it, or as time made it.
   */
  readonly add: (
    granted: readonly Capability[],
    given?: {
      readonly isActive?: boolean;
      readonly expiresAt?: Date;
      readonly environment?: string;
    },
  ) => Promise<KnownSecret & { readonly id: string }>;
  /** Every credential of the vendor as it is stored, the oldest first. */
  readonly rows: () => Promise<readonly StoredCredential[]>;
};

export type StoredCredential = {
  readonly id: string;
  readonly environment: string;
  readonly clientId: string;
  readonly capabilities: readonly Capability[];
  readonly isActive: boolean;
};

export const yesterday = (): Date => new Date(Date.now() - 24 * 3_600_000);

export async function newCredentialFixture(
  gateway: Gateway,
  granted: readonly Capability[] = capabilities,
): Promise<CredentialFixture> {
  const vendor = await newVendor(gateway, { capabilities: granted });
  // It holds Account whatever its credential has: only what it may give away is in question here.
  const { sql, dependencies } = gateway;
  const account = dependencies.tokens.issueVendorToken({
    id: vendor.credentialId,
    clientId: vendor.clientId,
    vendorId: vendor.vendorId,
    capabilities: ['Account'],
    environment: 'Production',
  });
  const url = '/api/v1/credentials';
  const headers = inProduction;
  return {
    vendor,
    list: (query = '', token = account) =>
      call(gateway, 'GET', `${url}${query}`, { token, headers }),
    generate: (body, token = account) => call(gateway, 'POST', url, { token, headers, body }),
    remove: (id, body) => call(gateway, 'DELETE', `${url}/${id}`, { token: account, body }),
    setActive: (id, isActive) =>
      call(gateway, 'PATCH', `${url}/${id}/active`, { token: account, body: { isActive } }),
    add: async (
      capabilitiesOfIt,
      { isActive = true, expiresAt, environment = 'Production' } = {},
    ) => {
      const { clientSecret, ...made } = newCredential(new Date());
      const { id, clientId } = await insertCredential(sql, {
        ...made,
        id: uuidv7(),
        vendorId: vendor.vendorId,
        environment,
        capabilities: capabilitiesOfIt,
        expiresAt: expiresAt ?? made.expiresAt,
        isActive,
      });
      return { id, clientId, clientSecret };
    },
    rows: () => sql<StoredCredential[]>`
      select id, environment, client_id, capabilities, is_active from credentials
      where vendor_id = ${vendor.vendorId} order by created_at, id`,
  };
}

/** What the token route answers to a credential. */
export const askToken = (
  gateway: Pick<Gateway, 'app'>,
  { clientId, clientSecret }: KnownSecret,
): Promise<Answer> =>
  call(gateway, 'POST', '/api/v1/auth/token', { body: { clientId, clientSecret } });

/** Every row of every table, as text: bytes are in it as hex. */
export async function everyRow({ sql }: Pick<Gateway, 'sql'>): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ text: string }[]>`select each::text as text from ${sql(name)} as each`;
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}
