import { expect, vi } from 'vitest';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../../workflows/ids.ts';
import {
  call,
  succeeded,
  textOf,
  type ApiResponse,
  type Call,
  type Method,
} from '../../support/api/api.ts';
import { freshTokensOf, newOperator, newVariant, newVendor } from '../../support/api/actors.ts';
import { moveReturnTo, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedSubscription } from '../../support/seeds/seed.ts';
import { status } from '../../support/webhooks/receiver.ts';
import type { CostsGateway } from './costs-gateway.ts';

/** One operation whose costs are counted, and the runs that it concerns. */
export type Operation = {
  readonly name: string;
  /** How often it is done; each figure is the mean. */
  readonly times: number;
  /** Makes the subject of one time, which is not counted. */
  readonly prepare?: () => Promise<string>;
  /** Does it, and returns the ids of its runs. */
  readonly run: (prepared: string) => Promise<readonly string[]>;
};

const ofOffer = (offerId: string): readonly string[] => [offerReviewId(offerId)];

/** The calls of one vendor and one operator, in the order in which they are counted. */
export async function costedOperations(costs: CostsGateway): Promise<readonly Operation[]> {
  const { sql, api, receiver, secretsKey } = costs;
  const vendor = await newVendor(api);
  const operator = await newOperator(api);
  const { id: variantId } = await newVariant(api);
  const token = freshTokensOf(api, vendor);
  /** The only vendor with a subscription. */
  const { vendorId: subscriberId } = await newVendor(api);
  const eventTypes = ['vendor.order.assigned'] as const;
  await seedSubscription(sql, subscriberId, receiver.url, secretsKey, eventTypes);
  const send = async (method: Method, url: string, given: Call): Promise<ApiResponse> =>
    succeeded(await call(api, method, url, given));
  const asVendor = (method: Method, path: string, body?: object) =>
    send(method, `/api/v1/scent${path}`, { token: token(), body });
  const asOperator = (path: string, body: object) =>
    send('POST', `/operator/v1${path}`, {
      token: api.dependencies.tokens.issueOperatorToken({
        ...operator,
        roles: ['Admin'],
        tokenGeneration: 1,
      }),
      body,
    });

  let made = 0;
  const create = async (more: object = {}): Promise<string> => {
    made += 1;
    const offer = {
      vendorExternalId: `erp-${made}`,
      vendorSku: `SKU-${made}`,
      rawBrandName: 'Maison Dahab',
      rawProductName: `Oud ${made}`,
      rawDescription: 'An amber scent for the evening.',
      cost: 100,
      costIsVatInclusive: false,
      declaredStockQuantity: 12,
      ...more,
    };
    return textOf(await asVendor('POST', '/offers', offer), 'id');
  };
  const createMatched = () => create({ variantId });
  const decide = (offerId: string, decision: string, body: object): Promise<ApiResponse> =>
    asOperator(`/offers/${offerId}/${decision}`, { expectedVersion: 1, ...body });
  const approved = async (): Promise<string> => {
    const offerId = await createMatched();
    await decide(offerId, 'approve', {});
    return offerId;
  };
  const push = async (offerId: string, what: 'stock' | 'cost', body: object) => {
    await asVendor('PATCH', `/offers/${offerId}/${what}`, body);
    return ofOffer(offerId);
  };
  const pushCost = (offerId: string, cost: number) =>
    push(offerId, 'cost', { cost, costIsVatInclusive: false });

  const untilAttempted = async (known: number): Promise<readonly string[]> =>
    vi.waitFor(
      async () => {
        const rows = await sql<{ id: string }[]>`
          select id from webhook_deliveries
          where exists (
            select from webhook_attempts
            where delivery_id = webhook_deliveries.id and succeeded is not null
          )`;
        expect(rows).toHaveLength(known);
        return rows.map(({ id }) => id);
      },
      { timeout: 60_000, interval: 20 },
    );
  let ordered = 0;
  const order = async (httpStatus: number): Promise<readonly string[]> => {
    receiver.answerWith(status(httpStatus));
    const lines = [{ variantId, quantity: 2 }];
    await asOperator('/orders', {
      shipTo: {
        recipient: 'Noura Al-Harbi',
        line1: '7421 King Fahd Road',
        city: 'Riyadh',
        country: 'SA',
        phone: '+966501234567',
      },
      groups: [{ vendorId: subscriberId, carrier: 'CarrierA', lines }],
    });
    ordered += 1;
    const deliveryIds = await untilAttempted(ordered);
    return deliveryIds.map((id) => webhookDeliveryId(id));
  };

  return [
    { name: 'creation', times: 20, run: async () => ofOffer(await create()) },
    { name: 'creation with a variant', times: 20, run: async () => ofOffer(await createMatched()) },
    {
      name: 'approval',
      times: 20,
      prepare: createMatched,
      run: async (offerId) => {
        await decide(offerId, 'approve', {});
        return ofOffer(offerId);
      },
    },
    {
      name: 'rejection',
      times: 20,
      prepare: createMatched,
      run: async (offerId) => {
        await decide(offerId, 'reject', { reason: 'The photo shows another bottle.' });
        return ofOffer(offerId);
      },
    },
    {
      name: 'stock push',
      times: 20,
      prepare: approved,
      run: (offerId) => push(offerId, 'stock', { declaredStockQuantity: 7, declaredInStock: true }),
    },
    {
      name: 'cost push, staged',
      times: 20,
      prepare: approved,
      run: (offerId) => pushCost(offerId, 110),
    },
    {
      name: 'cost push, staged again',
      times: 20,
      prepare: async () => {
        const offerId = await approved();
        await pushCost(offerId, 110);
        return offerId;
      },
      run: (offerId) => pushCost(offerId, 120),
    },
    { name: 'order of one line, delivered', times: 5, run: () => order(200) },
    {
      name: 'receipt of a return',
      times: 20,
      prepare: async () => {
        const seeded = await seedReturn(sql, { vendorId: vendor.vendorId, variantId });
        return (await moveReturnTo(sql, seeded, 'InTransit')).id;
      },
      run: async (returnId) => {
        await asVendor('PATCH', `/returns/${returnId}/received`);
        return [returnInspectionId(returnId)];
      },
    },
    { name: 'order of one line, attempt failed', times: 5, run: () => order(503) },
  ];
}
