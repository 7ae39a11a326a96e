import { expect } from 'vitest';
import { recordedColumns } from '../../../db/accounts/audit.ts';
import { credentialColumns } from '../../../db/accounts/credentials.ts';
import { operatorColumns } from '../../../db/accounts/operators.ts';
import { vendorProfileColumns } from '../../../db/accounts/vendor-profile.ts';
import { vendorColumns } from '../../../db/accounts/vendors.ts';
import { jobResults, newJobResults } from '../../../db/jobs/job-results.ts';
import { jobColumns, reviewJobColumns } from '../../../db/jobs/job-row.ts';
import { reviewResults } from '../../../db/jobs/review-jobs.ts';
import { offerPriceColumns, plainOfferColumns } from '../../../db/offers/offer-row.ts';
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
  '%s has the names, types and nullability of the table',
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
