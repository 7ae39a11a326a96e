import type { FastifyInstance } from 'fastify';
import type { OperatorSessions } from '../api/auth/operator-sessions.ts';
import type { Environment } from '../domain/accounts/credentials.ts';
import { auditPage } from './audit/audit.ts';
import { cataloguePages } from './catalogue/catalogue.ts';
import { findPage } from './find/find.ts';
import { homePage } from './home/home.ts';
import { Refusal } from './http/refusal.ts';
import { handlePageErrors, pagesOf } from './http/pages.ts';
import { allOffersPage } from './offers/all-offers.ts';
import { decisionPages } from './offers/decision.ts';
import { manyPages } from './offers/many.ts';
import { queuePage } from './offers/queue.ts';
import { reviewJobPages } from './offers/review-jobs.ts';
import { operatorsPage } from './operators/operators.ts';
import { orderPages } from './orders/orders.ts';
import { returnPages } from './returns/returns.ts';
import { createKeptForms } from './session/kept-form.ts';
import { settingsPage } from './session/settings.ts';
import { addSignIn } from './session/sign-in.ts';
import { findingsPage } from './findings/findings.ts';
import { vendorPages } from './vendors/vendors.ts';
import { webhookPages } from './webhooks/webhooks.ts';

/**
 * Adds the operators' console to its own scope: pages that are clients of the API. `publicUrl` is
 * the gateway's own; empty when it is unknown.
 */
export function addConsole(
  scope: FastifyInstance,
  sessions: OperatorSessions,
  sealer: Parameters<typeof createKeptForms>[1],
  {
    environment,
    publicUrl,
    isPassing,
  }: {
    readonly environment: Environment;
    readonly publicUrl: string;
    readonly isPassing: (error: unknown) => boolean;
  },
): void {
  scope.decorateRequest('signedIn', null);
  const keptForms = createKeptForms(sessions, sealer);
  handlePageErrors(scope, keptForms, isPassing);
  addSignIn(scope, sessions, keptForms, publicUrl);
  const pages = pagesOf(scope, sessions, keptForms);
  vendorPages(pages, environment);
  for (const add of [homePage, findPage, orderPages, returnPages, webhookPages]) add(pages);
  for (const add of [queuePage, allOffersPage, manyPages, decisionPages, reviewJobPages])
    add(pages);
  for (const add of [cataloguePages, auditPage, operatorsPage, findingsPage, settingsPage])
    add(pages);
  scope.get('/console/*', { schema: { hide: true } }, () => {
    throw new Refusal(404, 'NOT_FOUND_ROUTE');
  });
}
