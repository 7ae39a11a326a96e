import { v7 as uuidv7 } from 'uuid';
import { operatorSide, vendorSide } from '../../../api/reference/sides.ts';
import { insertJob } from '../../../db/jobs/jobs.ts';
import { insertReviewJob } from '../../../db/jobs/review-jobs.ts';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { newOperator, newVariant, newVendor, tokenWith } from '../../api/support/actors.ts';
import { unknownId, type Gateway } from '../../api/support/api.ts';
import {
  operationAt,
  parametersOf,
  readReference,
  requestSchemaOf,
} from '../../api/support/openapi-document.ts';
import { walkRoutes, type WalkedRoute } from '../../api/support/walk.ts';
import { attempt, emit } from '../../api/webhooks/webhook-fixture.ts';
import { moveReturnTo, seedOrder, seedReturn } from '../../support/returns/seed-returns.ts';
import { seedOffer, seedSubscription } from '../../support/seeds/seed.ts';

/** One published operation with everything that a well-formed request to it needs. */
export type Target = Omit<WalkedRoute, 'body'> & {
  /** Null where the operation takes no body. */
  readonly body: {
    readonly sample: object;
    readonly schema: Readonly<Record<string, unknown>>;
  } | null;
  /** The names of its parameters. */
  readonly query: readonly string[];
  readonly token: string;
  /** A valid token of the other API: an operator's for a vendor's operation and the reverse. */
  readonly otherToken: string;
};

/** A vendor, an operator, and the id of one of the vendor's rows for each name in a path. */
export async function seedRows(gateway: Gateway) {
  const { sql } = gateway;
  const vendor = await newVendor(gateway);
  const { vendorId, credentialId } = vendor;
  const { id: variantId } = await newVariant(gateway);
  const offer = await seedOffer(sql, vendorId, { saveAsDraft: true });
  const url = 'https://vendor.example.org/hook';
  const key = Buffer.alloc(32, 7).toString('base64');
  const subscription = await seedSubscription(sql, vendorId, url, key);
  const eventType = 'vendor.offer.review-decision';
  const deliveryId = await emit(sql, vendorId, subscription.id, eventType);
  const attemptId = await attempt(sql, deliveryId, 'succeeded');
  const { id: orderId, groups } = await seedOrder(sql, { vendorId, variantId });
  const pending = await seedReturn(sql, { vendorId, variantId });
  const received = await moveReturnTo(sql, pending, 'Received');
  const job = await insertJob(
    sql,
    {
      id: uuidv7(),
      vendorId,
      credentialId,
      kind: 'pushStocks',
      revertsId: null,
      validateOnly: false,
    },
    [],
  );
  const operator = await newOperator(gateway);
  const reviewJob = await insertReviewJob(
    sql,
    {
      id: uuidv7(),
      operatorId: operator.id,
      action: 'approve',
      reason: null,
      requestId: 'fuzz',
    },
    [],
  );
  const ids: Readonly<Record<string, string | undefined>> = {
    offers: offer.id,
    jobs: job.id,
    'review-jobs': reviewJob.id,
    groups: groups[0]?.id,
    orders: groups[0]?.id,
    returns: received.id,
    webhooks: subscription.id,
    deliveries: attemptId,
    'webhook-deliveries': deliveryId,
    vendors: vendorId,
    credentials: credentialId,
    variants: variantId,
  };
  return { vendor, operator, orderId, ids };
}

export type SeededRows = Awaited<ReturnType<typeof seedRows>>;

const bulkPath = /\/offers\/(?:stock|cost|sale-price)$|\/(?:review-)?jobs$/;

/** Every operation of both documents, with tokens that are valid for the next five minutes. */
export async function readTargets(
  gateway: Gateway,
  { vendor, operator, orderId, ids }: SeededRows,
): Promise<readonly Target[]> {
  const { id, operatorId } = operator;
  const { tokens } = gateway.dependencies;
  const operatorToken = tokens.issueOperatorToken({
    id,
    operatorId,
    roles: ['Admin'],
    tokenGeneration: 1,
  });
  const vendorToken = tokenWith(gateway, vendor, capabilities);
  const [vendors, operators] = await Promise.all([
    readReference(gateway.app, vendorSide),
    readReference(gateway.app, operatorSide),
  ]);
  const routes = await walkRoutes(gateway, unknownId());
  return routes.map(({ body, ...route }) => {
    const reference = route.isOperators ? operators : vendors;
    const operation = operationAt(reference, `${route.method} ${route.path}`);
    const query = parametersOf(operation).filter((parameter) => parameter['in'] === 'query');
    const schema = requestSchemaOf(reference, operation);
    // A malformed item is not a malformed request: it is an error in its own result.
    const ofItems = bulkPath.test(route.path) ? { items: [null] } : {};
    return {
      ...route,
      url: route.path.replaceAll(
        /([\w-]+)\/\{\w+\}/g,
        // An operator's order has several shipments, which are the orders of their vendors.
        (_all, name: string) =>
          name === 'orders' && route.isOperators
            ? `orders/ord_${orderId}`
            : `${name}/${ids[name] ?? unknownId()}`,
      ),
      body: body === undefined ? null : { sample: { ...body, ...ofItems }, schema },
      query: query.map((each) => String(each['name'])),
      token: route.isOperators ? operatorToken : vendorToken,
      otherToken: route.isOperators ? vendorToken : operatorToken,
    };
  });
}
