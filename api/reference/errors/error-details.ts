import type { Environment } from '../../../domain/accounts/credentials.ts';
import type { SchemaNode } from '../schema-nodes.ts';

const text = (description: string): SchemaNode => ({ type: 'string', description });
const texts = (description: string): SchemaNode => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const whole = (description: string): SchemaNode => ({
  type: 'integer',
  format: 'int32',
  description,
});

/** An entry of `details.errors`. */
export const fieldError = {
  type: 'object',
  description: 'One failing field.',
  properties: {
    field: { ...text("The field's name in PascalCase."), examples: ['CostIsVatInclusive'] },
    path: { ...text('A JSON pointer into the request body.'), examples: ['/costIsVatInclusive'] },
    code: { ...text('The reason, for programs.'), examples: ['required'] },
    message: { ...text('The reason, for people.'), examples: ['is required'] },
  },
  required: ['field', 'path', 'code', 'message'],
};

/** An entry of `details.lines`. */
export const returnedLine = {
  type: 'object',
  description: 'One line of a return that asks for more than its order has left.',
  properties: {
    path: text("A JSON pointer to the quantity of the line's first entry in the body."),
    orderedQuantity: whole('The quantity that was ordered.'),
    returnedQuantity: whole('The quantity of all other returns.'),
    requestedQuantity: whole('The quantity that the call asks for.'),
  },
  required: ['path', 'orderedQuantity', 'returnedQuantity', 'requestedQuantity'],
};

/**
 * All that `details` of an error can hold. One open object with optional fields, because every
 * generator makes a type of it that survives codes which are added later.
 */
const errorDetails = {
  type: 'object',
  description: 'Further information. The code decides which fields exist.',
  properties: {
    errors: {
      type: 'array',
      items: { $ref: '#/components/schemas/FieldError' },
      description: '`VALIDATION_ERRORS`: one entry for each failing field, at most 100.',
    },
    allowedValues: texts('The values that the failing parameter or header allows.'),
    allowedParameters: texts('`VALIDATION_UNKNOWN_QUERY_PARAMETER`: the parameters of the route.'),
    parameters: texts('`VALIDATION_UNKNOWN_QUERY_PARAMETER`: the unknown parameters.'),
    parameter: text('The query parameter that failed.'),
    minimum: whole('The least value of the parameter.'),
    maximum: {
      ...whole('The greatest value of the parameter, or the limit that is reached.'),
      format: 'int64',
    },
    expected: text('`VALIDATION_INVALID_DATE`: the form that the gateway wants.'),
    received: { description: 'What the gateway received: a text, or a list of texts.' },
    allowedMethods: texts('`NOT_FOUND_ROUTE`: the methods of the path.'),
    requiredRole: text('`FORBIDDEN`: the role that the operator lacks.'),
    requiredCapability: text('The capability that the token lacks.'),
    eventType: text('The event type that requires the capability.'),
    notHeld: texts("The capabilities that the vendor's active credentials do not hold together."),
    reason: text('Why the call was refused, for programs.'),
    message: text('Why the call was refused, for people.'),
    maxInProgress: whole('`TOO_MANY_REQUESTS`: the calls of an account at one time.'),
    status: text('The present status of the object.'),
    action: text('The action that the status does not allow.'),
    expectedVersion: whole("`CONFLICT_VERSION`: the call's version."),
    reviewVersion: whole('`CONFLICT_VERSION`: the present version of the offer.'),
    version: whole('`CONFLICT_VERSION`: the present version of the return.'),
    expectedMoved: whole('`CONFLICT_VERSION`: the number of offers that the operator has seen.'),
    offersMovedToRepricing: whole('`CONFLICT_VERSION`: the offers that the switch would move now.'),
    decidedBy: {
      type: ['string', 'null'],
      description: 'Whose act on the object was the latest; null: silence. For operators.',
    },
    decision: text('That act, as in the audit log.'),
    at: text('When that was, in UTC.'),
    field: text('The price field that failed, in PascalCase.'),
    fieldToSend: text('The price field that the agreement in force takes, in PascalCase.'),
    pricingModel: text('The pricing model of the agreement in force.'),
    lines: {
      type: 'array',
      items: { $ref: '#/components/schemas/ReturnedLine' },
      description: '`BUSINESS_RETURN_QUANTITY_EXCEEDED`: the lines that ask for too much.',
    },
    requestId: text('`INTERNAL_ERROR`: the id of the call, for the operators of the gateway.'),
    help: text('The address of the entry on the page of all errors; a path without `PUBLIC_URL`.'),
  },
} satisfies SchemaNode;

const ofSandbox = {
  left: text('`BUSINESS_SANDBOX_CLOCK_LIMIT`: how far the clock can still go, in ISO 8601.'),
};

/** What `details` of an environment's errors can have. */
export const errorDetailsOf = (environment: Environment) =>
  environment === 'Sandbox'
    ? { ...errorDetails, properties: { ...errorDetails.properties, ...ofSandbox } }
    : errorDetails;
