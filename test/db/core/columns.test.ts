import { expect } from 'vitest';
import { recordedColumns } from '../../../db/accounts/audit.ts';
import { credentialColumns } from '../../../db/accounts/credentials.ts';
import { operatorColumns } from '../../../db/accounts/operators.ts';
import { vendorProfileColumns } from '../../../db/accounts/vendor-profile.ts';
import { lockVendor, vendorColumns } from '../../../db/accounts/vendors.ts';
import { jobResults, newJobResults } from '../../../db/jobs/job-results.ts';
import { jobColumns, reviewJobColumns } from '../../../db/jobs/job-row.ts';
import { reviewResults } from '../../../db/jobs/review-jobs.ts';
import { offerPriceColumns, plainOfferColumns } from '../../../db/offers/offer-row.ts';
import { findAnyOffer, lockAnyOffer } from '../../../db/offers/offers.ts';
import { supplyOptionColumns } from '../../../db/offers/supply-options.ts';
import { variantColumns } from '../../../db/offers/variants.ts';
import { plainGroupColumns } from '../../../db/orders/group-row.ts';
import { plainReturnColumns } from '../../../db/returns/return-row.ts';
import { attemptColumns } from '../../../db/webhooks/attempts/attempt-list.ts';
import { deliveryColumns } from '../../../db/webhooks/webhook-deliveries.ts';
import {
  subscriptionColumns,
  subscriptionRecordColumns,
} from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

type ColumnList = {
  readonly table: string;
  readonly names: readonly string[];
  readonly types: Readonly<Record<string, string>>;
};

const lists = {
  recordedColumns,
  credentialColumns,
  operatorColumns,
  vendorColumns,
  vendorProfileColumns,
  variantColumns,
  plainOfferColumns,
  offerPriceColumns,
  supplyOptionColumns,
  plainGroupColumns,
  plainReturnColumns,
  subscriptionColumns,
  subscriptionRecordColumns,
  deliveryColumns,
  attemptColumns,
  jobColumns,
  reviewJobColumns,
  jobResults,
  newJobResults,
  reviewResults,
} satisfies Record<string, ColumnList>;

test.for(Object.entries<ColumnList>(lists))(
  'has the names, types and nullability of the table in %s',
  async ([, { table, names, types }], { sql }) => {
    const stored = await sql<{ name: string; type: string }[]>`
      select attname as name, format_type(atttypid, atttypmod)
        || case when attnotnull then '' else '?' end as type
      from pg_attribute where attrelid = ${table}::regclass and attname = any(${[...names]})`;
    const typeOf = new Map(stored.map(({ name, type }) => [name, type]));
    expect(Object.fromEntries(names.map((name) => [name, typeOf.get(name)]))).toEqual(
      Object.fromEntries(
        Object.values(types).map((type, index) => [
          names[index],
          type.replace('timestamptz', 'timestamp with time zone'),
        ]),
      ),
    );
  },
);

// Migrations only add, so that the version before can run beside the new one.
test('reads and writes rows with a column of a later version', async ({ sql }) => {
  const vendorId = await seedVendor(sql);
  const lock = async () => {
    const offer = await seedOffer(sql, vendorId);
    await sql.begin(async (transaction) => {
      expect(await lockVendor(transaction, vendorId)).not.toBeNull();
      expect(await lockAnyOffer(transaction, offer.id)).not.toBeNull();
    });
    return findAnyOffer(sql, offer.id);
  };
  await lock();
  await sql`alter table offers add column added boolean not null default true`;
  await sql`alter table vendors add column added text`;
  expect(await lock()).toMatchObject({ status: 'PendingMatch' });
});
