import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { registerSearchAttributes } from '../../temporal/register-search-attributes.ts';
import * as searchAttributeKeys from '../../workflows/search-attributes.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

test('registers every search attribute with its type, once', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  await registerSearchAttributes(client);
  expect(await registerSearchAttributes(client)).toEqual([]);
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: 'default',
  });
  const expected = Object.values(searchAttributeKeys).map(({ name, type }) => [
    name,
    IndexedValueType[`INDEXED_VALUE_TYPE_${type}` as const],
  ]);
  expect(customAttributes).toMatchObject(Object.fromEntries(expected));
});
