import { expect } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnReason,
  ReturnStatus,
} from '../../../domain/returns/return-status.ts';
import { newOrderFixture, type TakenOrder } from '../orders/order-fixture.ts';
import {
  freshTokensOf,
  newOperator,
  newVendor,
  type TestVendor,
} from '../../support/api/actors.ts';
import {
  call,
  refusal,
  textOf,
  type ApiResponse,
  type Gateway,
  type Method,
} from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

type ReturnGiven = {
  readonly destination?: 'Supplier' | 'SortingPoint';
  /** A line for each. */
  readonly reasonCodes?: readonly ReturnReason[];
  /** Default: one of its own, with one group. */
  readonly order?: TakenOrder;
};

export const photoUrl = 'https://vendor.example.org/photo.jpg';

/** Which call leads to a status, and from which. */
const ways: Readonly<
  Record<ReturnStatus, readonly [from: ReturnStatus, call: string, body?: object] | null>
> = {
  Pending: null,
  Approved: ['Pending', 'approve'],
  Rejected: ['Pending', 'reject'],
  InTransit: ['Approved', 'in-transit'],
  Received: ['InTransit', 'received'],
  UnderInspection: ['Received', 'start-inspection'],
  InspectionAccepted: ['UnderInspection', 'decide', { outcome: 'AcceptedSound' }],
  InspectionRejected: ['UnderInspection', 'decide', { outcome: 'Rejected' }],
  RefundReleased: ['InspectionAccepted', 'refund-released'],
  Closed: ['InspectionRejected', 'close'],
  Withdrawn: ['Pending', 'withdraw'],
};

/** A vendor, an operator, and the vendor's returns in any status, by the routes of the API. */
export async function newReturnFixture(gateway: Gateway, known?: TestVendor) {
  const vendor = known ?? (await newVendor(gateway));
  const token = known === undefined ? freshTokensOf(gateway, vendor) : () => known.token;
  const operator = await newOperator(gateway);
  const orders = await newOrderFixture(gateway);
  /** A vendor's call below `/api/v1/scent/returns`. */
  const send = (method: Method, path: string, body?: unknown) =>
    call(gateway, method, `/api/v1/scent/returns${path}`, { token: token(), body });
  /** An operator's call below `/operator/v1/returns`. */
  const staff = (method: Method, path: string, body?: unknown) =>
    call(gateway, method, `/operator/v1/returns${path}`, { token: operator.token, body });
  /** An order with a group for each entry (null: the service's), each with these lines. */
  const takeOrder = (
    vendorIds: readonly (string | null)[],
    quantities: readonly number[] = [5],
  ): Promise<TakenOrder> => {
    const lines = quantities.map((quantity) => ({ variantId: orders.variantId, quantity }));
    return orders.take(...vendorIds.map((vendorId) => ({ vendorId, lines })));
  };
  const request = async ({
    destination = 'Supplier',
    reasonCodes = ['Defective'],
    order,
  }: ReturnGiven = {}): Promise<string> => {
    const quantities = reasonCodes.map(() => 2);
    const { orderGlobalId, groups } = order ?? (await takeOrder([vendor.vendorId], quantities));
    const lines = reasonCodes.map((reasonCode, position) => ({
      lineId: groups[0]?.lines[position]?.lineId,
      quantity: 1,
      reasonCode,
    }));
    return textOf(await succeeded(staff('POST', '', { orderGlobalId, destination, lines })), 'id');
  };
  const receive = (id: string) => send('PATCH', `/${id}/received`);
  /** A return that came to the status on the shortest way, `Closed` through an inspection. */
  const returnIn = async (status: ReturnStatus, given: ReturnGiven = {}): Promise<string> => {
    const way = ways[status];
    if (way === null) return request(given);
    const [from, path, body = {}] = way;
    const id = await returnIn(from, given);
    const isReceipt = path === 'received' && given.destination !== 'SortingPoint';
    await succeeded(isReceipt ? receive(id) : staff('POST', `/${id}/${path}`, body));
    return id;
  };
  return {
    vendor,
    operator,
    takeOrder,
    request,
    returnIn,
    send,
    staff,
    receive,
    addEvidence: (id: string, kind = 'Photo', url = photoUrl) =>
      send('POST', `/${id}/evidence`, { url, kind }),
    propose: (id: string, outcome: InspectionOutcome) =>
      send('PATCH', `/${id}/inspection/propose`, { outcome }),
    decide: (id: string, outcome: InspectionOutcome, reason?: string) =>
      staff('POST', `/${id}/decide`, { outcome, reason }),
  };
}
export type ReturnFixture = Awaited<ReturnType<typeof newReturnFixture>>;

/** Throws unless the call succeeds. */
export async function succeeded(response: Promise<ApiResponse>): Promise<ApiResponse> {
  const { state, text } = await response;
  if (state !== 'SUCCESS') throw new Error(text);
  return response;
}

/** Everything that is stored about a return, as text. */
export async function returnRecord({ sql }: Pick<Gateway, 'sql'>, id: string): Promise<string> {
  const [row] = await sql<[{ record: string }]>`
    select jsonb_build_object(
      'return', (select to_jsonb(r) from return_requests r where id = ${id}),
      'lines', (select jsonb_agg(l order by position) from return_lines l where return_id = ${id}),
      'evidence', (select jsonb_agg(e order by id) from return_evidence e where return_id = ${id}),
      'history', (select jsonb_agg(h order by id) from return_status_changes h
        where return_id = ${id}),
      'audit', (select jsonb_agg(a order by id) from audit_log a where subject_id = ${id}),
      'messages', (select jsonb_agg(o order by id) from outbox o where subject_id = ${id})
    )::text as record`;
  return row.record;
}

/** Expects a refusal that stores nothing about the return. */
export async function expectRefused(
  gateway: Pick<Gateway, 'sql'>,
  id: string,
  calling: () => Promise<ApiResponse>,
  expected: object,
): Promise<void> {
  const before = await returnRecord(gateway, id);
  expect(await calling()).toMatchObject(expected);
  expect(await returnRecord(gateway, id)).toBe(before);
}

/** The refusal of a move that the state machine does not have. */
export const invalidMove = (status: ReturnStatus, action: string) =>
  refusal('BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', { status, action });

/** The columns, every status as `Pending > Approved`, audited actions, and messages sent. */
export type StoredReturn = Omit<ReturnRequest, 'number' | 'times' | 'lines' | 'evidence'> & {
  readonly way: string;
  readonly pieces: number;
  readonly audit: readonly string[];
  readonly signals: readonly string[];
};

export async function storedReturn(
  { sql }: Pick<Gateway, 'sql'>,
  id: string,
): Promise<StoredReturn> {
  const [row] = await sql<StoredReturn[]>`
    select r.*,
      (select string_agg(to_status, ' > ' order by id) from return_status_changes
        where return_id = r.id) as way,
      (select count(*)::int from return_evidence where return_id = r.id) as pieces,
      (select coalesce(array_agg(action order by id), '{}') from audit_log
        where subject_id = r.id) as audit,
      (select array_agg(payload->>'signal' order by id) from outbox
        where subject_id = r.id) as signals
    from return_requests r where id = ${id}`;
  if (row === undefined) throw new Error(`no return ${id}`);
  return row;
}

/** Gives a file a `fixture`: a vendor and its returns. */
export const returnTest = gatewayTest.extend('fixture', { scope: 'file' }, ({ gateway }) =>
  newReturnFixture(gateway),
);
