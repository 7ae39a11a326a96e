import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { child, readReferences, resolved } from '../../support/api/openapi-document.ts';
import { gatewayOver } from '../../support/api/api.ts';
import {
  allRows,
  checksums,
  countOf,
  create,
  creatingRoutes,
  creationAt,
  newCreators,
} from './creations.ts';

/** The answer is given once more for the same key (D92): every route that creates. */

const test = gatewayTest
  .extend('creators', { scope: 'file' }, ({ gateway }) => newCreators(gateway))
  // Another process of the API, as after a restart: only the database and the keys are the same.
  .extend('restarted', { scope: 'file' }, async ({ gateway }, { onCleanup }) => {
    const other = await gatewayOver(gateway.dependencies.sql);
    onCleanup(() => other.app.close());
    return other;
  });

test('every POST that creates takes the header in the reference', async ({ gateway }) => {
  const references = await readReferences(gateway.app);
  const posts = references.flatMap(({ document, operations }) =>
    operations
      .map(({ at, method, node }) => ({
        at,
        method,
        node,
        created: { ...child(node, 'responses', '201'), ...child(node, 'responses', '202') },
      }))
      .filter(({ method, created }) => method === 'POST' && Object.keys(created).length > 0)
      // A second revert returns the job of the first, and a second recovery finds nothing left.
      .filter(({ at }) => !at.endsWith('/revert') && !at.endsWith('/recover'))
      .map((post) => ({ ...post, created: resolved(document, post.created) })),
  );
  expect(posts.map(({ at }) => at).toSorted()).toEqual([...creatingRoutes].toSorted());
  for (const { at, node, created } of posts) {
    const text = JSON.stringify(node);
    expect(text, at).toContain('"in":"header","name":"Idempotency-Key"');
    expect(JSON.stringify(created), at).toContain('#/components/headers/Idempotency-Replayed');
    expect(text, at).toContain('IdempotencyKeyReused');
  }
});

test.for(creatingRoutes)(
  'creates once and returns the same bytes, also after a restart; refuses another body: %s',
  async (at, { restarted, creators }) => {
    const creation = creationAt(at, creators);
    const { status = 201 } = creation;
    const key = randomUUID();
    const before = await countOf(creators, creation.table);
    const first = await create(creators, creation, key);
    expect(first).toMatchObject({ status, state: 'SUCCESS' });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const stored = await checksums(creators);
    for (const { app } of [creators, restarted]) {
      const again = await create({ ...creators, app }, creation, key);
      expect(again.text).toBe(first.text);
      expect(again).toMatchObject({
        status,
        headers: {
          'idempotency-replayed': 'true',
          'content-type': first.headers['content-type'],
        },
      });
    }
    const other = { ...creation, body: creation.otherBody };
    expect(await create(creators, other, key)).toMatchObject({
      status: 422,
      state: 'BUSINESS_IDEMPOTENCY_KEY_REUSED',
      details: { reason: 'OTHER_REQUEST' },
    });
    expect(await checksums(creators)).toEqual(stored);
    expect(await countOf(creators, creation.table)).toBe(before + 1);
  },
);

test.for(creatingRoutes)(
  'stores nothing if the response cannot be kept: %s',
  async (at, { creators }) => {
    const creation = creationAt(at, creators);
    const { status = 201 } = creation;
    const key = randomUUID();
    const before = await allRows(creators);
    await creators.sql.unsafe(`
      create function refuse_keys() returns trigger language plpgsql as
        $$ begin raise exception 'no key is stored' using errcode = '53100'; end $$;
      create trigger refuse_keys before insert on idempotency_keys
        for each row execute function refuse_keys()`);
    try {
      expect(await create(creators, creation, key)).toMatchObject({ status: 503 });
    } finally {
      await creators.sql.unsafe('drop function refuse_keys() cascade');
    }
    expect(await allRows(creators)).toEqual(before);
    expect(await create(creators, creation, key)).toMatchObject({ status });
  },
);

test('keeps no secret in clear in a table, and returns it again', async ({ creators }) => {
  const secrets: string[] = [];
  for (const at of creatingRoutes) {
    const creation = creationAt(at, creators);
    const key = randomUUID();
    await create(creators, creation, key);
    const { text } = await create(creators, creation, key);
    const [, secret] = /"(?:secret|\w+Secret)":"([^"]+)"/.exec(text) ?? [];
    if (secret !== undefined) secrets.push(secret);
  }
  expect(secrets).toHaveLength(4);
  const rows = Object.values(await allRows(creators)).join('\n');
  for (const secret of secrets) {
    const clear = secret.replace(/^[a-z]+_/, '');
    for (const encoding of ['utf8', 'base64', 'hex'] as const) {
      const text = Buffer.from(clear).toString(encoding);
      expect(rows.includes(text), encoding).toBe(false);
    }
  }
});
