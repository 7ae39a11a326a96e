import { isExternalIdTaken } from '../../db/core/failure.ts';
import type { Queryable } from '../../db/core/client.ts';
import type { Job } from '../../db/jobs/job-row.ts';
import { findNamedOffers, type NewJobResult, type QueuedItem } from '../../db/jobs/job-results.ts';
import { fail, invalid } from '../../domain/errors.ts';
import type { JobItem, NamedItem } from '../../domain/jobs/job-item.ts';
import { revertChange } from '../../domain/jobs/recorded-change.ts';
import { editOffer, pushPrice } from '../../domain/offers/edit-offer.ts';
import type { OfferRule } from '../../domain/offers/offer-change.ts';
import { checkOlderForm } from '../../domain/offers/offer-prices.ts';
import { pushItems, stockRule, type ChangedOffer, type ItemRule } from '../offers/push-items.ts';
import { submitOffers } from '../offers/submit-offers.ts';
import { externalIdTaken, failed, ofChange, ofCreation, unchanged } from './item-results.ts';
import {
  isolateFailures,
  unexpected,
  type BatchTransaction,
  type JobSettings,
} from './isolate-failures.ts';

export type ItemSettings = JobSettings & { readonly vatRateBasisPoints: number };

/**
 * Several items change an external id, so their order matters: one change may need another one
 * first.
 */
class OrderMatters extends Error {}

/**
 * Runs items of a job, each by the rules of its single call, and returns their results. A job that
 * only validates stores nothing. Rejects during an outage of Postgres; then nothing is stored.
 */
export const runItems = (
  transaction: BatchTransaction,
  job: Job,
  items: readonly QueuedItem[],
  settings: ItemSettings,
): Promise<readonly NewJobResult[]> =>
  isolateFailures(
    items,
    // Earlier results are not stored yet, but a second item for one of their offers must fail.
    (some, earlier) => runTogether(transaction, job, some, { ...settings, earlier }),
    (item, error) => {
      if (isExternalIdTaken(error)) return externalIdTaken(item);
      const { index } = item;
      return failed(item, unexpected(settings, error, { jobId: job.id, index }));
    },
  );

/** The settings, and the earlier results of the same batch. */
type BatchContext = ItemSettings & { readonly earlier: readonly NewJobResult[] };

/** A validation undoes its effects, so that only the results are left. */
const runTogether = (
  transaction: BatchTransaction,
  job: Job,
  items: readonly QueuedItem[],
  context: BatchContext,
): Promise<readonly NewJobResult[]> =>
  transaction.savepoint(async (part) => {
    if (!job.validateOnly) return runInOrder(part, job, items, context);
    await part`savepoint validation`;
    const results = await runInOrder(part, job, items, context);
    await part`rollback to savepoint validation`;
    return results;
  }) as Promise<readonly NewJobResult[]>;

/** All items of a job have one kind. Malformed items have their results already. */
async function runInOrder(
  sql: Queryable,
  job: Job,
  items: readonly QueuedItem[],
  context: BatchContext,
): Promise<readonly NewJobResult[]> {
  const { vatRateBasisPoints } = context;
  const results: NewJobResult[] = [];
  const creates: { readonly index: number; readonly item: CreateItem }[] = [];
  const named: { readonly index: number; readonly item: NamedItem }[] = [];
  for (const { index, item } of items) {
    if (item.type === 'malformed') results.push(failed({ index, item }, item.failure));
    else if (item.type === 'nothing') results.push(unchanged(index));
    else if (item.type === 'create') creates.push({ index, item });
    else named.push({ index, item });
  }
  const { vendorId } = job;
  const declarations = creates.map(({ item }) => item.declaration);
  if (creates.length > 0) {
    const submission = {
      vendorId,
      source: 'Api',
      vatRateBasisPoints,
      isLowPriority: true,
    } as const;
    const submitted = await submitOffers(sql, submission, declarations);
    const made = submitted.flatMap((each) =>
      each.ok && each.value.isNew ? [each.value.offer.id] : [],
    );
    const rolledBack = new Set(job.validateOnly ? made : []);
    for (const [position, create] of creates.entries()) {
      const result = submitted[position] ?? fail('SERVICE_UNAVAILABLE');
      results.push(ofCreation(create, result, rolledBack));
    }
  }
  if (named.length > 0) results.push(...(await runNamed(sql, job, named, context)));
  return results;
}

async function runNamed(
  sql: Queryable,
  job: Job,
  named: readonly { readonly index: number; readonly item: NamedItem }[],
  { vatRateBasisPoints, earlier }: BatchContext,
): Promise<readonly NewJobResult[]> {
  const items = named.map(({ index, item }) => ({
    index,
    name: item.name,
    ...ruleOf(item, vatRateBasisPoints),
  }));
  const outcomes = await pushItems(sql, job.vendorId, items, async (offerIds) => {
    const stored = await findNamedOffers(sql, job.id, offerIds);
    for (const { offerId, index, isMalformed } of earlier)
      if (offerId !== null && !isMalformed && !stored.has(offerId)) stored.set(offerId, index);
    return stored;
  });
  const renamed = outcomes.filter(({ pushed }) => pushed.ok && isRenamed(pushed.value));
  if (renamed.length > 1 && named.length > 1) throw new OrderMatters();
  const itemAt = new Map(named.map(({ index, item }) => [index, item]));
  return outcomes.flatMap((outcome) => {
    const item = itemAt.get(outcome.index);
    return item === undefined ? [] : [ofChange(outcome, item, job)];
  });
}

type CreateItem = Extract<JobItem, { readonly type: 'create' }>;

const isRenamed = ({ before, after }: ChangedOffer): boolean =>
  before.vendorExternalId !== after.vendorExternalId;

const ruleOf = (item: NamedItem, vatRateBasisPoints: number): ItemRule =>
  item.type === 'stock' ? stockRule(item.stock) : { decide: decisionOf(item, vatRateBasisPoints) };

/** Returns the rule of an item's single call. */
const decisionOf =
  (item: Exclude<NamedItem, { type: 'stock' }>, vatRateBasisPoints: number): OfferRule =>
  (offer, now) => {
    const context = { vatRateBasisPoints, now };
    switch (item.type) {
      case 'edit':
        return offer.source === 'Api'
          ? editOffer(offer, item.edit, context)
          : fail('NOT_FOUND_VENDOR_OFFER');
      case 'malformedOlderForm': {
        const allowed = checkOlderForm(offer.pricingModel);
        if (offer.source !== 'Api' || allowed.ok) return { ok: false, failure: item.failure };
        return item.malformed.length > 0 ? invalid(...item.malformed) : allowed;
      }
      case 'price':
        return pushPrice(offer, item.price, context);
      case 'revert':
        return revertChange(offer, item.change, now);
    }
  };
