import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../db/core/client.ts';
import { serveParent } from '../fork-program.ts';

/**
 * The least that an HTTP server can do for a call of the gateway: Fastify without hooks, schemas or
 * tokens, one prepared statement, and a response of the same bytes, which `POST /bodies/NAME` sets.
 */
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const sql = connect(databaseUrl, { max: 10, name: 'bench floor' });
const bodies = new Map<string, string>();
const app = Fastify();

type Given = { readonly Params: { readonly id: string } };
type Stock = { readonly declaredStockQuantity: number };
type Cost = { readonly cost: number };
type NewOffer = Readonly<
  Record<'vendorExternalId' | 'vendorSku' | 'rawBrandName' | 'rawProductName', string>
> & { readonly cost: number; readonly declaredStockQuantity: number };

app.addHook('onSend', async (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8');
});
const bodyOf = (name: string): string => bodies.get(name) ?? '{}';

app.post<{ Params: { name: string }; Body: string }>('/bodies/:name', async (request) => {
  bodies.set(request.params.name, request.body);
  return '{}';
});
app.get<Given>('/offers/:id', async ({ params: { id } }) => {
  await sql`select * from offers where id = ${id}`;
  return bodyOf('read');
});
app.get<Given>('/vendors/:id/offers', async ({ params: { id } }) => {
  await sql`
    select * from offers where vendor_id = ${id} order by created_at desc, id desc limit 20`;
  return bodyOf('page');
});
app.patch<Given & { Body: Stock }>('/offers/:id/stock', async ({ params: { id }, body }) => {
  await sql`
    with changed as (
      update offers set declared_stock_quantity = ${body.declaredStockQuantity},
        declared_in_stock = true, changed_at = now(), change_time = clock_timestamp()
      where id = ${id} returning id, declared_stock_quantity
    )
    update supply_options set stock_quantity = changed.declared_stock_quantity, in_stock = true,
      updated_at = now()
    from changed where offer_id = changed.id`;
  return bodyOf('stock');
});
app.patch<Given & { Body: Cost }>('/offers/:id/cost', async ({ params: { id }, body }) => {
  await sql`
    update offers set pending_cost_net = ${Math.round(body.cost * 100)}, pending_cost_vat = 1,
      pending_cost_entered_vat_inclusive = false, changed_at = now(),
      change_time = clock_timestamp(), judged_version = judged_version + 1
    where id = ${id}`;
  return bodyOf('cost');
});
app.post<Given & { Body: NewOffer }>('/vendors/:id/offers', async ({ params, body }, reply) => {
  const { vendorExternalId, vendorSku, rawBrandName, rawProductName } = body;
  await sql`
    with created as (
      insert into offers (id, vendor_id, status, source, pricing_model, vendor_sku,
        vendor_external_id, raw_brand_name, raw_product_name, cost_net, cost_vat,
        cost_entered_vat_inclusive, declared_stock_quantity, declared_in_stock, ever_approved,
        awaiting_since, created_at, changed_at, change_time)
      values (${uuidv7()}, ${params.id}, 'PendingMatch', 'Api', 'CostPlusMargin', ${vendorSku},
        ${vendorExternalId}, ${rawBrandName}, ${rawProductName}, ${Math.round(body.cost * 100)}, 1,
        true, ${body.declaredStockQuantity}, true, false, now(), now(), now(), clock_timestamp())
      returning id, vendor_id, status, created_at
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    )
    insert into outbox (kind, subject_id, payload)
    select 'offerReview', id, jsonb_build_object('vendorId', vendor_id) from created`;
  reply.code(201);
  return bodyOf('create');
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
serveParent(url, () => app.close().then(() => sql.end({ timeout: 5 })));
