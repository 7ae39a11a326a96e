import type { Sql } from '../../../db/core/client.ts';
import {
  call,
  succeeded,
  textOf,
  type ApiResponse,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import {
  freeFormOffer,
  freshTokensOf,
  newOperator,
  newVariant,
  newVendor,
} from '../../support/api/actors.ts';
import { addSubscription, messagesTo as storedMessagesTo } from '../../db/support.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { bodyOfDecision } from '../../support/api/review-version.ts';

export const byNumber = (one: number, other: number): number => one - other;

/** What the record holds of an offer besides what its routes answer. */

type StatusChangeRow = {
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly reason: string | null;
  readonly at: Date;
};
export const statusChangesOf = (sql: Sql, id: string) => sql<StatusChangeRow[]>`
  select from_status, to_status, reason, at from offer_status_changes where offer_id = ${id}
  order by id`;

type AuditSnapshot = Readonly<Record<string, unknown>>;
type AuditRow = {
  readonly operatorId: string;
  readonly action: string;
  readonly subjectType: string;
  readonly requestId: string;
  readonly before: AuditSnapshot | null;
  readonly after: AuditSnapshot | null;
};
export const auditOf = (sql: Sql, subjectId: string) => sql<AuditRow[]>`
  select operator_id, action, subject_type, request_id, before, after
  from audit_log where subject_id = ${subjectId} order by id`;

/** An entry with 0 for how long the offer had waited, which differs from offer to offer. */
const withoutWait = (entry: AuditRow): AuditRow =>
  entry.after !== null && 'waitedMs' in entry.after
    ? { ...entry, after: { ...entry.after, waitedMs: 0 } }
    : entry;

type EventData = Readonly<Record<string, unknown>>;
/** `data` of the events that tell of an offer, in their order. */
export async function eventsOf(sql: Sql, offerId: string): Promise<readonly EventData[]> {
  const rows = await sql<{ body: string }[]>`
    select body from webhook_events where body like ${`%"offerId":"${offerId}"%`} order by id`;
  return rows.map(({ body }) => (JSON.parse(body) as { data: EventData }).data);
}

type OptionRow = {
  readonly id: string;
  readonly variantId: string;
  readonly net: number;
  readonly sellNet: number;
  readonly payoutNet: number;
  readonly pricingModel: string | null;
  readonly rateBasisPoints: number | null;
  readonly stockQuantity: number | null;
  readonly inStock: boolean;
  readonly isPaused: boolean;
};
/** What the offer sells as. */
export async function optionOf(sql: Sql, offerId: string): Promise<OptionRow | undefined> {
  const [option] = await sql<OptionRow[]>`
    select id, variant_id, net, sell_net::float8 as sell_net, payout_net, pricing_model,
      rate_basis_points, stock_quantity, in_stock, is_paused
    from supply_options where offer_id = ${offerId}`;
  return option;
}

export const rowOf = async (sql: Sql, id: string) =>
  (await sql`select * from offers where id = ${id}`)[0];

/** The kinds of the messages to a subject's workflow, in their order. */
export const messagesTo = async (sql: Sql, subjectId: string): Promise<readonly string[]> =>
  (await storedMessagesTo(sql, subjectId)).map(({ kind }) => kind);

/** Everything stored of an offer, to be held against what is stored later. */
export const everythingOf = async (sql: Sql, id: string) => ({
  row: await rowOf(sql, id),
  option: await optionOf(sql, id),
  statusChanges: await statusChangesOf(sql, id),
  audit: (await auditOf(sql, id)).map(withoutWait),
  events: await eventsOf(sql, id),
  messages: await messagesTo(sql, id),
});

/** A vendor with a subscription to reviews, a reviewer, an Admin and a variant. */
export async function newParties(gateway: Gateway, agreement?: Agreement) {
  const vendor = await newVendor(gateway, agreement === undefined ? {} : { agreement });
  await addSubscription(gateway.sql, vendor.vendorId);
  const operators = {
    Reviewer: await newOperator(gateway, ['Reviewer']),
    Admin: await newOperator(gateway, ['Admin']),
  };
  const headers = { 'x-request-id': 'req-7' };
  const freshToken = freshTokensOf(gateway, vendor);
  return {
    vendor,
    variant: await newVariant(gateway),
    operators,
    /** A call by the vendor on its offers: `''`, `/{id}`, `/{id}/stock`. */
    byVendor: (method: Method, path: string, body?: unknown): Promise<ApiResponse> =>
      call(gateway, method, `/api/v1/scent/offers${path}`, { token: freshToken(), body, headers }),
    /** A call by an operator of that role, under `/operator/v1`. */
    by: async (role: keyof typeof operators, method: Method, path: string, body?: unknown) => {
      const { token } = operators[role];
      const url = `/operator/v1${path}`;
      const sent = await bodyOfDecision(gateway.sql, url, body);
      return call(gateway, method, url, { token, body: sent, headers });
    },
  };
}
export type Parties = Awaited<ReturnType<typeof newParties>>;

/** Submits an offer that is matched, unless `given` says otherwise; returns its id. */
export async function submitOffer(parties: Parties, given: object = {}) {
  const body = { ...freeFormOffer, variantId: parties.variant.id, ...given };
  return textOf(succeeded(await parties.byVendor('POST', '', body)), 'id');
}

/** Submits an offer and has it approved; returns its id. */
export async function approvedOffer(parties: Parties, given: object = {}) {
  const id = await submitOffer(parties, given);
  const variantId = parties.variant.id;
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${id}/approve`, { variantId }));
  return id;
}
