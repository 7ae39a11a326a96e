import { sample } from '../validation/sample.ts';
import type { SchemaNode } from './examples.ts';

/** Description and example of a path's id by the segment before it. */
const idAfter: Readonly<Record<string, readonly [string, string]>> = {
  offers: ["The offer's id.", sample.offerId],
  orders: ["The shipment's id.", sample.groupId],
  groups: ["The group's id.", sample.groupId],
  returns: ["The return's id.", sample.returnId],
  webhooks: ["The subscription's id.", sample.subscriptionId],
  deliveries: ["The attempt's id, from the list of deliveries.", sample.attemptId],
  'webhook-deliveries': ["The delivery's id.", sample.deliveryId],
  credentials: ["The credential's id.", sample.credentialId],
  vendors: ["The vendor's id.", sample.vendorId],
  operators: ["The operator's id.", sample.operatorRowId],
  variants: ["The variant's id.", sample.variantId],
};

/** Describes a path parameter, which is always a uuid. Other parameters stay as they are. */
export function describePathId(parameter: SchemaNode, path: string): SchemaNode {
  if (parameter['in'] !== 'path') return parameter;
  const [, segment = ''] =
    new RegExp(`/([\\w-]+)/\\{${String(parameter['name'])}\\}`).exec(path) ?? [];
  const [description, example] = idAfter[segment] ?? [];
  return { ...parameter, description, example, schema: { type: 'string', format: 'uuid' } };
}
