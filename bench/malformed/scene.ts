import { v7 as uuidv7 } from 'uuid';
import type { Tokens } from '../../api/auth/tokens.ts';
import type { Sql } from '../../db/core/client.ts';
import { insertCredential } from '../../db/accounts/credentials.ts';
import { capabilities } from '../../domain/accounts/capabilities.ts';
import { newCredential } from '../../security/new-credential.ts';
import { newWebhookSecret } from '../../security/webhook-signature.ts';
import { createSealer } from '../../security/sealer.ts';
import { insertSubscription } from '../../db/webhooks/webhook-subscriptions.ts';
import { moveReturnTo, seedOrder, seedReturn } from '../../test/support/seed-returns.ts';
import { seedOffer, seedOperator, seedVariant, seedVendor } from '../../test/support/seed.ts';
import type { Scene } from './request.ts';
import { routesOf } from './routes.ts';

/** An id that nothing has. */
const nobodys = '01890000-0000-7000-8000-000000000000';
const sealingKey = Buffer.alloc(32, 7).toString('base64');

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** A vendor with a little of everything, so that what is refused is refused of something that is there. */
async function seedRows(sql: Sql) {
  const vendorId = await seedVendor(sql);
  const variantId = await seedVariant(sql);
  const { clientSecret: _clientSecret, ...credential } = newCredential(new Date());
  const { id: credentialId } = await insertCredential(sql, {
    ...credential,
    id: uuidv7(),
    vendorId,
    environment: 'Production',
    capabilities,
    isActive: true,
  });
  const subscription = uuidv7();
  await sql.begin((transaction) =>
    insertSubscription(transaction, {
      id: subscription,
      vendorId,
      url: 'https://vendor.example.org/hook',
      eventTypes: ['vendor.offer.review-decision'],
      secretSealed: createSealer(sealingKey).seal(newWebhookSecret(), subscription),
    }),
  );
  const offers = [
    await seedOffer(sql, vendorId),
    await seedOffer(sql, vendorId, { saveAsDraft: true }),
  ];
  const { groups } = await seedOrder(sql, { vendorId, variantId });
  const returns = [
    await seedReturn(sql, { vendorId, variantId }),
    await moveReturnTo(sql, await seedReturn(sql, { vendorId, variantId }), 'Received'),
  ];
  return {
    vendorId,
    credentialId,
    ids: {
      offers: ids(offers),
      groups: ids(groups),
      orders: ids(groups),
      returns: ids(returns),
      webhooks: [subscription],
      vendors: [vendorId],
      credentials: [credentialId],
      variants: [variantId],
    } as Readonly<Record<string, readonly string[]>>,
  };
}

/** As a client does: a token is used for a minute of the five that it is good for. */
function renewed<T>(make: () => T): () => T {
  let made = make();
  let madeAt = performance.now();
  return () => {
    if (performance.now() - madeAt > 60_000) [made, madeAt] = [make(), performance.now()];
    return made;
  };
}

/** Rows, tokens for them, and the routes as the gateway itself publishes them. */
export async function createScene(sql: Sql, tokens: Tokens, origin: string): Promise<Scene> {
  const { vendorId, credentialId, ids } = await seedRows(sql);
  const operator = await seedOperator(sql);
  const routes = routesOf(await (await fetch(`${origin}/openapi.json`)).json());
  return {
    routes,
    idsFor: (template) =>
      [...template.matchAll(/\/([\w-]+)\/\{\w+\}/g)].map(([, name = '']) => ids[name] ?? [nobodys]),
    tokens: renewed(() => ({
      vendor: tokens.issueVendorToken({
        id: credentialId,
        clientId: 'malformed',
        vendorId,
        capabilities,
        environment: 'Production',
      }),
      operator: tokens.issueOperatorToken({ ...operator, roles: ['Admin'] }),
    })),
  };
}
