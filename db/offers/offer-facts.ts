import postgres from 'postgres';
import { shareReads } from '../core/shared-statements.ts';
import type { Queryable } from '../core/client.ts';
import { instantTextOf } from '../core/statements/instant-text.ts';
import { effectiveChangeTime, isOutdatedText } from './effective-columns.ts';
import {
  factsKeys,
  factsOf,
  offerPriceColumns,
  type OfferFacts,
  type PlainFacts,
  type PriceColumns,
} from './offer-row.ts';
import { findOwnOffer } from './offers.ts';

/** `changeTime` as in {@link FoundOffer}. */
export type ReadOffer = { readonly offer: OfferFacts; readonly changeTime: string };

export type FactsRow = PlainFacts &
  PriceColumns & {
    readonly changeTime: string;
    /** The offer has yet to follow a switch of its vendor's agreement: the facts are stale. */
    readonly isOutdated: boolean;
  };

export const factsColumnNames: readonly string[] = [
  ...factsKeys.map((key) => postgres.fromCamel(key)),
  ...offerPriceColumns.names,
];
/** {@link factsColumnNames} of `offers`. */
export const factsColumnsText = factsColumnNames.map((name) => `offers.${name}`).join(', ');
const columnsText = `${factsColumnsText},
  ${instantTextOf(effectiveChangeTime)} as change_time, ${isOutdatedText} as is_outdated`;
const tablesText = 'offers join vendors on vendors.id = offers.vendor_id';
/** One offer: Postgres takes a fifth more time for a list of one. */
const ownFactsText = `
  select 1 as position, ${columnsText} from ${tablesText}
  where offers.id = $1::uuid and offers.vendor_id = $2::uuid`;
const sharedFactsText = `
  select asked.position::integer, ${columnsText}
  from unnest($1::uuid[], $2::uuid[]) with ordinality as asked(id, vendor_id, position)
    join offers on offers.id = asked.id and offers.vendor_id = asked.vendor_id
    join vendors on vendors.id = asked.vendor_id`;

/** Where {@link FactsRow}s are read from. */
export const factsSource = (sql: Queryable) => ({
  columns: sql.unsafe(columnsText),
  tables: sql.unsafe(tablesText),
  alias: sql`offers`,
});

export const toReadOffer = (row: FactsRow): ReadOffer => ({
  offer: factsOf(row),
  changeTime: row.changeTime,
});

/** The most reads of one statement; a larger one would delay each result. */
const readsMax = 100;
/** As many calls of a vendor as are in progress by default: these run at once, each alone. */
const statementsMax = 3;

type Read = { readonly vendorId: string; readonly id: string };
type ReadRow = FactsRow & { readonly position: number };

/** Ids as the text of a Postgres array: the library would write each by a function of its type. */
const arrayText = (ids: readonly string[]): string => `{${ids.join(',')}}`;

function readFacts(sql: Queryable, reads: readonly Read[]) {
  const [first] = reads;
  if (reads.length === 1 && first !== undefined)
    return sql.unsafe<ReadRow[]>(ownFactsText, [first.id, first.vendorId], { prepare: true });
  const ids = arrayText(reads.map(({ id }) => id));
  const vendorIds = arrayText(reads.map(({ vendorId }) => vendorId));
  return sql.unsafe<ReadRow[]>(sharedFactsText, [ids, vendorIds], { prepare: true });
}

/**
 * A vendor's own offer as it reads it; null for an unknown one and for another vendor's. Reads that
 * arrive while {@link statementsMax} statements are under way share the next one: under load, the
 * statement is most of the cost of a read.
 */
export function createOfferReader(
  sql: Queryable,
): (vendorId: string, id: string) => Promise<ReadOffer | null> {
  const readRow = shareReads({
    read: async (reads: readonly Read[]) => {
      const placed: FactsRow[] = [];
      for (const row of await readFacts(sql, reads)) placed[row.position - 1] = row;
      return placed;
    },
    sizeMax: readsMax,
    statementsMax,
  });
  return async (vendorId, id) => {
    const row = await readRow({ vendorId, id });
    if (row === null) return null;
    return row.isOutdated ? findOwnOffer(sql, vendorId, id) : toReadOffer(row);
  };
}
