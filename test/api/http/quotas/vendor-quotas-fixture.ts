import type { Dependencies } from '../../../../api/dependencies.ts';
import { createCallQuota } from '../../../../api/http/quotas/call-quota.ts';
import { connect } from '../../../../db/core/client.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import { newOfferFixture, type OfferFixture } from '../../offers/offer-fixture.ts';
import { call, gatewayOver, type Answer, type Gateway } from '../../../support/api/api.ts';
import { holdOffer as holdOfferRow } from '../../../support/seeds/agreement.ts';
import { databaseTest } from '../../../support/database/database-test.ts';

/** The API over a database of the file's own. */
export const quotasTest = databaseTest.extend('gateway', { scope: 'file' }, async ({ sql }) => ({
  ...(await gatewayOver(sql)),
  close: () => Promise.resolve(),
}));

export const waitingMax = 40;

const quota = (max: number) => createCallQuota({ max, waitingMax, waitMs: 30_000 });

/** So many calls and lists at a time for each vendor. */
export const quotasOf = (calls: number, lists = 1): Dependencies['vendorQuotas'] => ({
  calls: quota(calls),
  lists: quota(lists),
  waits: quota(calls),
  polls: quota(calls),
});

/** One vendor's calls wait for a lock, as many as it sends. */
export type Attack = {
  readonly offerId: string;
  /** Ends the lock; a second call does nothing. */
  readonly letGo: () => Promise<void>;
};

/** Locks the row of one of the vendor's offers, so that each change of it waits. */
export async function holdOffer(gateway: Gateway, fixture: OfferFixture): Promise<Attack> {
  const offerId = await fixture.create();
  return { offerId, letGo: await holdOfferRow(gateway.sql, offerId) };
}

export const withdraw = (
  app: Pick<Gateway, 'app'>,
  { vendor }: OfferFixture,
  { offerId }: Attack,
) => call(app, 'POST', `/api/v1/scent/offers/${offerId}/withdraw`, { token: vendor.token });

/** An API with a pool of four connections, and a vendor whose offer is locked. */
export async function attackOn(gateway: Gateway, url: string, vendorQuotas = quotasOf(2)) {
  const pool = connect(url, { max: 4, name: 'quotas' });
  const app = await appWith({ ...gateway.dependencies, sql: pool, vendorQuotas }, {});
  const [attacker, other] = [await newOfferFixture(gateway), await newOfferFixture(gateway)];
  const attack = await holdOffer(gateway, attacker);
  const end = async (calls: readonly Promise<unknown>[] = []): Promise<void> => {
    await attack.letGo();
    await Promise.allSettled(calls);
    await pool.end({ timeout: 5 });
  };
  return { app, attacker, other, attack, end };
}

/** The different states of answers. */
export const statesOf = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ state }) => state)),
];
