import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { registerSearchAttributes } from '../../temporal/register-search-attributes.ts';
import * as searchAttributeKeys from '../../workflows/search-attributes.ts';

const {
  INDEXED_VALUE_TYPE_DATETIME: datetime,
  INDEXED_VALUE_TYPE_INT: int,
  INDEXED_VALUE_TYPE_BOOL: bool,
  INDEXED_VALUE_TYPE_KEYWORD: keyword,
  INDEXED_VALUE_TYPE_TEXT: text,
} = proto.temporal.api.enums.v1.IndexedValueType;
const typesOf = { BOOL: bool, DATETIME: datetime, INT: int, KEYWORD: keyword, TEXT: text };

test('registers every search attribute with its type, once', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  await registerSearchAttributes(client);
  expect(await registerSearchAttributes(client)).toEqual([]);

  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  const expected = Object.values(searchAttributeKeys).map((key) => [key.name, typesOf[key.type]]);
  expect(customAttributes).toMatchObject(Object.fromEntries(expected));
});
