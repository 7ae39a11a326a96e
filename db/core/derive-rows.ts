import { setTimeout as sleep } from 'node:timers/promises';
import { countChecks } from '../checks/kept-counts.ts';
import { scanRows, type Scan } from '../checks/scan.ts';
import { unfoundOffers, unfoundVariants, waitingOffers } from '../checks/search-rows.ts';
import { unlistedDeliveries } from '../checks/webhook-rows.ts';
import { giveVariantsToVendors } from '../offers/variants.ts';
import type { Sql } from './client.ts';
import { valueOf } from './rows.ts';
import type { Log } from './sql-files.ts';

/** What derives the rows that functions keep from the rows of before their triggers. */
type Derivation = {
  readonly title: string;
  /** The files of the functions. */
  readonly keptBy: readonly string[];
  /** Derives what is missing in batches, beside writers; returns how many rows. */
  readonly derive: (sql: Sql) => Promise<number>;
};

/** Subjects whose rows one statement derives, some of them under a lock. */
const batchSize = 200;

/** Repairs what a scan finds: a page is read without a lock, and repaired in parts. */
const repairFound =
  (scan: Required<Scan>) =>
  async (sql: Sql): Promise<number> => {
    let derived = 0;
    for await (const { wrong } of scanRows(sql, scan, 0)) {
      const ids = [...new Set(wrong.map(({ id }) => id))];
      for (let from = 0; from < ids.length; from += batchSize)
        derived += await scan.repair(sql, ids.slice(from, from + batchSize));
    }
    return derived;
  };

const foldFiles = ['fold_text.sql', 'fold_name.sql', 'words_of.sql'];

const derivations: readonly Derivation[] = [
  {
    title: 'what a search finds variants by',
    keptBy: [...foldFiles, 'keep_variant_words.sql'],
    derive: repairFound(unfoundVariants),
  },
  {
    title: 'the vendors of the variants that a sandbox made',
    keptBy: ['reset_sandbox.sql'],
    derive: giveVariantsToVendors,
  },
  {
    // After the variants, whose words they have too.
    title: 'the words of what waits for a reviewer',
    keptBy: [...foldFiles, 'index_waiting_offer.sql'],
    derive: repairFound(waitingOffers),
  },
  {
    title: 'what a search of the queue finds',
    keptBy: ['keep_waiting_offers.sql'],
    derive: repairFound(unfoundOffers),
  },
  {
    title: 'the counts of offers',
    keptBy: ['count_offers.sql'],
    derive: repairFound(countChecks.offers),
  },
  {
    title: 'the counts of orders and returns',
    keptBy: ['count_groups.sql', 'count_returns.sql'],
    derive: repairFound(countChecks.lists),
  },
  {
    title: 'the counts of attempts',
    keptBy: ['count_attempts.sql'],
    derive: repairFound(countChecks.attempts),
  },
  {
    title: 'the deliveries by their states',
    keptBy: ['listed_state_of.sql', 'set_listed_state.sql'],
    derive: repairFound(unlistedDeliveries),
  },
  {
    title: 'the counts of deliveries',
    keptBy: ['count_deliveries.sql'],
    derive: repairFound(countChecks.deliveries),
  },
  {
    title: 'the statistics',
    keptBy: ['count_audit.sql', 'count_returns.sql', 'count_offers.sql', 'count_deliveries.sql'],
    derive: repairFound(countChecks.activity),
  },
];

const pauseMs = 100;

/**
 * Waits for the writers that may have called a function in its earlier text, and whose rows no
 * statement sees yet.
 */
async function waitForEarlier(sql: Sql, log: Log): Promise<void> {
  const now = await valueOf<string>(sql`select pg_current_xact_id()::text`);
  for (let waits = 0; ; waits += 1) {
    const areOver = await valueOf(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${now}::text::xid8`);
    if (areOver === true) return;
    if (waits === 10) log('waiting for transactions that began before the functions were applied');
    await sleep(pauseMs);
  }
}

/**
 * Derives the rows that functions keep, whenever the text of a function was applied anew. The
 * triggers keep them from then on, so nothing that a writer does meanwhile is missing. A derivation
 * that was interrupted begins again with the next migration, and adds only what is missing.
 */
export async function deriveRows(sql: Sql, log: Log): Promise<void> {
  await sql`alter table schema_functions add column if not exists derived_checksum text`;
  const outdated = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from schema_functions where derived_checksum is distinct from checksum`;
  const names = new Set(outdated.map(({ name }) => name));
  if (names.size > 0) await waitForEarlier(sql, log);
  for (const { title, keptBy, derive } of derivations) {
    if (!keptBy.some((name) => names.has(name))) continue;
    const derived = await derive(sql);
    if (derived > 0) log(`derived ${title}: ${derived}`);
  }
  for (const { name, checksum } of outdated)
    await sql`update schema_functions set derived_checksum = ${checksum} where name = ${name}`;
}
