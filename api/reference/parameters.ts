import { sample } from '../validation/sample.ts';
import { pascalCase } from './components.ts';
import type { SchemaNode } from './schema-nodes.ts';

/** Name, description and example of a path's id by the segment before it. */
const idAfter: Readonly<Record<string, readonly [string, string, string]>> = {
  offers: ['OfferId', "The offer's id.", sample.offerId],
  jobs: ['JobId', "The job's id.", sample.jobId],
  'review-jobs': ['JobId', "The job's id.", sample.jobId],
  orders: ['ShipmentId', "The shipment's id.", sample.groupId],
  groups: ['GroupId', "The group's id.", sample.groupId],
  returns: ['ReturnId', "The return's id.", sample.returnId],
  webhooks: ['SubscriptionId', "The subscription's id.", sample.subscriptionId],
  deliveries: ['AttemptId', "The attempt's id, from the list of deliveries.", sample.attemptId],
  'webhook-deliveries': ['DeliveryId', "The delivery's id.", sample.deliveryId],
  credentials: ['CredentialId', "The credential's id.", sample.credentialId],
  vendors: ['VendorId', "The vendor's id.", sample.vendorId],
  operators: ['OperatorId', "The operator's id.", sample.operatorRowId],
  variants: ['VariantId', "The variant's id.", sample.variantId],
};

/** The same for a parameter that is no uuid, by its name. */
const textNamed: Readonly<Record<string, readonly [string, string, string]>> = {
  orderGlobalId: ['OrderGlobalId', "The order's id.", sample.orderGlobalId],
};

const entryOf = (parameter: SchemaNode, path: string) => {
  const name = String(parameter['name']);
  const [, segment = ''] = new RegExp(`/([\\w-]+)/\\{${name}\\}`).exec(path) ?? [];
  return parameter['in'] === 'path' ? (textNamed[name] ?? idAfter[segment]) : undefined;
};

/**
 * A parameter as the document has it: a path parameter is a described uuid, and an optional one
 * does not say so, because that is the default.
 */
export function describeParameter(parameter: SchemaNode, path: string): SchemaNode {
  if (parameter['in'] !== 'path') {
    const { required, ...optional } = parameter;
    return required === true ? parameter : optional;
  }
  const [, description, example] = entryOf(parameter, path) ?? [];
  const isText = String(parameter['name']) in textNamed;
  const schema = { type: 'string', ...(isText ? {} : { format: 'uuid' }) };
  return { ...parameter, description, example, schema };
}

/** Whether a parameter is the header of an `Idempotency-Key`. */
export const isKeyParameter = ({ name }: SchemaNode): boolean => name === 'Idempotency-Key';

/** The name of a parameter that operations share, such as `OfferId` or `PageSize`. */
export function parameterName(parameter: SchemaNode, path: string): string {
  const [name = String(parameter['name'])] = entryOf(parameter, path) ?? [];
  return pascalCase(name);
}
