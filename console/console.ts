import type { FastifyInstance } from 'fastify';
import type { OperatorSessions } from '../api/auth/operator-sessions.ts';
import { auditPage } from './audit/audit.ts';
import { cataloguePage } from './catalogue/catalogue.ts';
import { variantPages } from './catalogue/variant.ts';
import { homePage } from './home/home.ts';
import { Refusal } from './http/gateway-calls.ts';
import { handlePageErrors, pagesOf, type AddPages } from './http/pages.ts';
import { manyPages } from './offers/many.ts';
import { decisionPages } from './offers/decision.ts';
import { queuePage } from './offers/queue.ts';
import { reviewJobPages } from './offers/review-jobs.ts';
import { operatorsPage } from './operators/operators.ts';
import { orderPages } from './orders/order.ts';
import { ordersPage } from './orders/orders.ts';
import { inspectionPages } from './returns/inspection.ts';
import { returnsPage } from './returns/returns.ts';
import { stuckPage } from './stuck/stuck.ts';
import { vendorPages } from './vendors/vendor.ts';
import { vendorsPages } from './vendors/vendors.ts';
import { deliveriesPages } from './webhooks/deliveries.ts';
import { subscriptionsPage } from './webhooks/subscriptions.ts';
import { addSignIn } from './session/sign-in.ts';

const pages: readonly AddPages[] = [
  homePage,
  queuePage,
  manyPages,
  reviewJobPages,
  decisionPages,
  returnsPage,
  inspectionPages,
  ordersPage,
  orderPages,
  cataloguePage,
  variantPages,
  auditPage,
  operatorsPage,
  stuckPage,
  vendorsPages,
  vendorPages,
  subscriptionsPage,
  deliveriesPages,
];

/**
 * Adds the operators' console to its own scope: pages that are clients of the API (D139).
 * `publicUrl` is the gateway's own; empty when it is unknown.
 */
export function addConsole(
  scope: FastifyInstance,
  { sessions, publicUrl }: { readonly sessions: OperatorSessions; readonly publicUrl: string },
): void {
  handlePageErrors(scope);
  addSignIn(scope, sessions, publicUrl);
  for (const add of pages) add(pagesOf(scope, sessions));
  scope.get('/console/*', { schema: { hide: true } }, () => {
    throw new Refusal(404, 'NOT_FOUND_ROUTE');
  });
}
