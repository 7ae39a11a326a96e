import type { Queryable } from '../../core/client.ts';
import { rowCountOf } from '../../core/rows.ts';

/**
 * The secret of a subscription, and its custom headers or null, as the row has them. A deleted
 * subscription has none.
 */
export type SealedSecret = {
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly headersSealed: Uint8Array | null;
};

/**
 * Which secrets a page has: those after an id, and only rows with one that does not begin with
 * `without`.
 */
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
  select id, secret_sealed, headers_sealed from webhook_subscriptions
  where octet_length(secret_sealed) > 0 ${after === null ? sql`` : sql`and id > ${after}`}
    and (
      ${without.length} = 0
      or substring(secret_sealed from 1 for ${without.length}) <> ${without}::bytea
      or substring(headers_sealed from 1 for ${without.length}) <> ${without}::bytea
    )
  order by id limit ${limit}`;

/** Some secrets, by the ids of their subscriptions. */
export const findSealedSecrets = (
  sql: Queryable,
  ids: readonly string[],
): Promise<readonly SealedSecret[]> => sql<SealedSecret[]>`
  select id, secret_sealed, headers_sealed from webhook_subscriptions
  where id = any(${[...ids]}::uuid[]) and octet_length(secret_sealed) > 0`;

/**
 * How many secrets and custom headers have each header of `headerBytes` bytes, which names the key;
 * under null those that do not begin with `magic`.
 */
export const countSecretsByHeader = (
  sql: Queryable,
  { magic, headerBytes }: { readonly magic: Uint8Array; readonly headerBytes: number },
): Promise<readonly { readonly header: Uint8Array | null; readonly secrets: number }[]> => sql<
  { header: Uint8Array | null; secrets: number }[]
>`
  select case when substring(sealed from 1 for ${magic.length}) = ${magic}::bytea
    then substring(sealed from 1 for ${headerBytes}) end as header, count(*)::int as secrets
  from webhook_subscriptions
  cross join lateral unnest(array[secret_sealed, headers_sealed]) as sealed
  where octet_length(sealed) > 0 group by 1`;

/** Bytes in the text form of the type `bytea`. */
const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : `\\x${Buffer.from(bytes).toString('hex')}`;

/** A secret and custom headers that are sealed again. */
export type ResealedSecret = SealedSecret & { readonly resealed: Omit<SealedSecret, 'id'> };

/**
 * Replaces sealed secrets, each only if the row still has the value that was read: a vendor may
 * have rotated its secret since then. Returns how many it replaced.
 */
export function replaceSealedSecrets(
  sql: Queryable,
  secrets: readonly ResealedSecret[],
): Promise<number> {
  const rows = secrets.map(({ id, secretSealed, headersSealed, resealed }) => ({
    id,
    secret_sealed: textOf(secretSealed),
    headers_sealed: textOf(headersSealed),
    new_secret: textOf(resealed.secretSealed),
    new_headers: textOf(resealed.headersSealed),
  }));
  return rowCountOf(sql`
    with locked as materialized (
      select subscription.id, input.new_secret, input.new_headers
      from webhook_subscriptions as subscription join jsonb_to_recordset(${sql.json(rows)}) as input (
        id uuid, secret_sealed bytea, headers_sealed bytea, new_secret bytea, new_headers bytea
      ) on input.id = subscription.id
      where subscription.secret_sealed = input.secret_sealed
        and subscription.headers_sealed is not distinct from input.headers_sealed
      order by subscription.id for no key update of subscription
    )
    update webhook_subscriptions as subscription
    set secret_sealed = locked.new_secret, headers_sealed = locked.new_headers
    from locked where subscription.id = locked.id`);
}
