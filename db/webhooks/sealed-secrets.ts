import type { Queryable } from '../core/client.ts';

/** The secret of a subscription as the row has it. A deleted subscription has none. */
export type SealedSecret = { readonly id: string; readonly secretSealed: Uint8Array };

/** Which secrets a page has: those after an id, and only those that do not begin with `without`. */
type SecretPage = {
  readonly after: string | null;
  readonly limit: number;
  readonly without?: Uint8Array;
};

/** A page of sealed secrets in the order of their ids. */
export const listSealedSecrets = (
  sql: Queryable,
  { after, limit, without = Buffer.alloc(0) }: SecretPage,
): Promise<readonly SealedSecret[]> => sql<SealedSecret[]>`
  select id, secret_sealed from webhook_subscriptions
  where octet_length(secret_sealed) > 0 ${after === null ? sql`` : sql`and id > ${after}`}
    and (
      ${without.length} = 0
      or substring(secret_sealed from 1 for ${without.length}) <> ${Buffer.from(without)}::bytea
    )
  order by id limit ${limit}`;

/** Some secrets, by the ids of their subscriptions. */
export const findSealedSecrets = (
  sql: Queryable,
  ids: readonly string[],
): Promise<readonly SealedSecret[]> => sql<SealedSecret[]>`
  select id, secret_sealed from webhook_subscriptions
  where id = any(${[...ids]}::uuid[]) and octet_length(secret_sealed) > 0`;

/**
 * How many secrets have each header of `headerBytes` bytes, which names the key; under null those
 * that do not begin with `magic`.
 */
export const countSecretsByHeader = (
  sql: Queryable,
  { magic, headerBytes }: { readonly magic: Uint8Array; readonly headerBytes: number },
): Promise<readonly { readonly header: Uint8Array | null; readonly secrets: number }[]> => sql<
  { header: Uint8Array | null; secrets: number }[]
>`
  select case when substring(secret_sealed from 1 for ${magic.length}) = ${Buffer.from(magic)}::bytea
    then substring(secret_sealed from 1 for ${headerBytes}) end as header, count(*)::int as secrets
  from webhook_subscriptions where octet_length(secret_sealed) > 0 group by 1`;

/** Bytes as text, because the driver sends no arrays of bytes. */
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A secret sealed anew. */
export type ResealedSecret = SealedSecret & { readonly resealed: Uint8Array };

/**
 * Replaces sealed secrets, each only if the row still has the value that was read: a vendor may
 * have rotated its secret since then. Returns how many it replaced.
 */
export async function replaceSealedSecrets(
  sql: Queryable,
  secrets: readonly ResealedSecret[],
): Promise<number> {
  const { count } = await sql`
    with given as (
      select id, decode(secret_sealed, 'hex') as secret_sealed, decode(resealed, 'hex') as resealed
      from unnest(
        ${secrets.map(({ id }) => id)}::uuid[],
        ${secrets.map(({ secretSealed }) => hex(secretSealed))}::text[],
        ${secrets.map(({ resealed }) => hex(resealed))}::text[]
      ) as given (id, secret_sealed, resealed)
    ), locked as materialized (
      select subscription.id, given.resealed
      from webhook_subscriptions as subscription join given on given.id = subscription.id
      where subscription.secret_sealed = given.secret_sealed
      order by subscription.id for no key update of subscription
    )
    update webhook_subscriptions as subscription set secret_sealed = locked.resealed
    from locked where subscription.id = locked.id`;
  return count;
}
