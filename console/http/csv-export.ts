import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { spreadsheetCell } from '../../domain/texts/csv.ts';
import { apiPath, type ApiPath } from './api-path.ts';
import type * as api from './api-types.ts';
import type { Listed, Visit } from './visit.ts';

/** The names of the fields of an item, with those in its objects after a dot. */
type Field<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
    ? K
    : NonNullable<T[K]> extends object
      ? `${K}.${Field<NonNullable<T[K]>>}`
      : K;
}[keyof T & string];
const fieldsOf = <T>(path: ApiPath | string, ...fields: readonly Field<T>[]) =>
  [String(path), fields] as const;

/**
 * The columns of each list of the API that can be exported, by its path with `:id` for an id. A
 * list in a column is JSON.
 */
const columns: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  fieldsOf<api.QueuedOffer>(
    apiPath`/operator/v1/offers`,
    ...(['id', 'status', 'kind', 'flags', 'awaitingSince', 'vendorId', 'vendorName'] as const),
    ...(['vendorExternalId', 'product.vendorSku', 'product.barcode', 'product.variantId'] as const),
    ...(['product.rawBrandName', 'product.rawProductName', 'product.rawConcentration'] as const),
    ...(['product.rawSizeMl', 'pricingModel.name', 'cost.amount', 'cost.pending.amount'] as const),
    ...(['price.amount', 'price.pending.amount', 'priceChangePercent'] as const),
    ...(['stock.declaredQuantity', 'stock.declaredInStock', 'createdAt', 'changedAt'] as const),
  ),
  fieldsOf<api.ListedReturn>(
    apiPath`/operator/v1/returns`,
    ...(['id', 'returnRequestNumber', 'status', 'orderGlobalId', 'vendorId'] as const),
    ...(['destination', 'requestedAt', 'receivedAt', 'inspectionStartedAt'] as const),
    ...(['inspection.inspectionWindowDeadline', 'inspection.requiresStaffReview'] as const),
    ...(['inspection.supplierProposedOutcome', 'inspection.outcome', 'decidedBy'] as const),
    ...(['inspectionDecidedAt', 'silenceOutcome', 'silenceAt', 'lines'] as const),
  ),
  fieldsOf<api.ListedOrder>(apiPath`/operator/v1/orders`, 'orderGlobalId', 'createdAt', 'groups'),
  fieldsOf<api.Vendor>(
    apiPath`/operator/v1/vendors`,
    ...(['id', 'name', 'isActive', 'agreement.pricingModel'] as const),
    ...(['agreement.markupPercent', 'agreement.commissionPercent'] as const),
  ),
  fieldsOf<api.Variant>(
    apiPath`/operator/v1/variants`,
    ...(['id', 'sku', 'brandName', 'productName', 'concentration', 'sizeMl', 'barcode'] as const),
    'isActive',
  ),
  fieldsOf<api.Subscription>(
    apiPath`/operator/v1/webhook-subscriptions`,
    ...(['id', 'vendorId', 'url', 'isActive', 'eventTypes', 'failingSince'] as const),
    ...(['deadLetters', 'unrecovered', 'deletedAt'] as const),
  ),
  fieldsOf<api.Delivery>(
    apiPath`/operator/v1/webhook-deliveries`,
    ...(['id', 'eventId', 'eventType', 'vendorId', 'subscriptionId'] as const),
    ...(['state', 'nextAttemptAt', 'subscription.url'] as const),
  ),
  fieldsOf<api.AuditEntry>(
    apiPath`/operator/v1/audit`,
    ...(['id', 'at', 'operatorId', 'credentialId', 'action', 'subjectType', 'subjectId'] as const),
    'requestId',
  ),
  fieldsOf<api.Operator>(
    apiPath`/operator/v1/operators`,
    ...(['id', 'operatorId', 'roles', 'isActive', 'createdAt'] as const),
  ),
  fieldsOf<api.ReviewJob>(
    apiPath`/operator/v1/review-jobs`,
    ...(['id', 'action', 'state', 'operatorId', 'counts.accepted', 'counts.done'] as const),
    ...(['counts.failed', 'createdAt', 'endedAt'] as const),
  ),
  fieldsOf<api.ReviewResult>(
    '/operator/v1/review-jobs/:id/results',
    ...(['index', 'httpStatus', 'state', 'offerId', 'productName', 'vendorName'] as const),
  ),
  fieldsOf<api.Offer>(
    '/operator/v1/variants/:id/offers',
    ...(['id', 'status', 'vendorId', 'vendorExternalId', 'product.vendorSku'] as const),
    ...(['cost.amount', 'price.amount', 'createdAt', 'changedAt'] as const),
  ),
  fieldsOf<api.Job>(
    apiPath`/operator/v1/jobs`,
    ...(['id', 'kind', 'state', 'counts.accepted', 'counts.done', 'counts.failed'] as const),
    ...(['createdAt', 'endedAt'] as const),
  ),
]);
const columnsOf = ({ path }: Listed): readonly string[] =>
  columns.get(String(path).replace(/[\da-f-]{36}/, ':id')) ?? [];

export const isExportable = (listed: Listed): boolean => columnsOf(listed).length > 0;

/** The most rows of an export, and the items of each page that it reads. */
export const exportedMax = 100_000;
const pageSize = 100;

const valueAt = (item: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], item);

/**
 * Sends a list as filtered as one CSV file, which is read page by page as the browser takes it.
 * `visit` has no reply: the file ends with its reader.
 */
export async function sendCsv(
  visit: Visit,
  reply: FastifyReply,
  listed: Listed,
): Promise<FastifyReply> {
  const { path, filter } = listed;
  const fields = columnsOf(listed);
  // The first column of each list is an id.
  const [key = ''] = fields;
  const read = (page: number) =>
    visit.read<api.ListOf<unknown>>(path, { ...filter, page, pageSize });
  // A refusal has its own page as long as nothing is sent.
  let { items } = await read(1);
  // A row that moves to a later page while the list changes is sent once.
  const sent = new Set<unknown>();
  async function* pieces(): AsyncGenerator<string> {
    // Spreadsheets read UTF-8 by this mark.
    yield `\ufeff${fields.join(',')}\r\n`;
    for (let page = 1; items.length > 0; page += 1) {
      const fresh = items.filter((item) => !sent.has(valueAt(item, key)));
      for (const item of fresh) sent.add(valueAt(item, key));
      const rows = fresh.map((item) =>
        fields.map((field) => spreadsheetCell(valueAt(item, field))),
      );
      yield rows.map((cells) => `${cells.join(',')}\r\n`).join('');
      if (items.length < pageSize || page * pageSize >= exportedMax) return;
      ({ items } = await read(page + 1));
    }
  }
  const name = String(path).split('/').at(-1);
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    })
    .send(Readable.from(pieces(), { highWaterMark: 1 }));
}
