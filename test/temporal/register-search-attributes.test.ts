import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, inject, test as base } from 'vitest';
import { registerSearchAttributes } from '../../temporal/register-search-attributes.ts';
import { searchAttributeKeys } from '../../workflows/search-attributes.ts';

const {
  INDEXED_VALUE_TYPE_DATETIME: datetime,
  INDEXED_VALUE_TYPE_INT: int,
  INDEXED_VALUE_TYPE_BOOL: bool,
  INDEXED_VALUE_TYPE_KEYWORD: keyword,
  INDEXED_VALUE_TYPE_TEXT: text,
} = proto.temporal.api.enums.v1.IndexedValueType;
const typesOf = { BOOL: bool, DATETIME: datetime, INT: int, KEYWORD: keyword, TEXT: text };

const test = base
  .extend('connection', { scope: 'file' }, async ({}, { onCleanup }) => {
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    onCleanup(() => connection.close());
    return connection;
  })
  .extend('client', { scope: 'file' }, ({ connection }) => new Client({ connection }));

test('the server has every search attribute with its type', async ({ connection, client }) => {
  await registerSearchAttributes(client);

  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  const expected = searchAttributeKeys.map(({ name, type }) => [name, typesOf[type]]);
  expect(customAttributes).toMatchObject(Object.fromEntries(expected));
});

test('registering is done once: afterwards nothing is missing', async ({ client }) => {
  await registerSearchAttributes(client);
  expect(await registerSearchAttributes(client)).toEqual([]);
});
