import { operatorRoles } from '../../../domain/accounts/operator-roles.ts';
import { enumeration, field, list, titled } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';

/** What the roles allow, for every field that names one. */
export const roleText =
  '`Reviewer`: offers. `Operations`: orders, returns, webhooks and bulk jobs. `Admin`: everything, ' +
  'and vendors, credentials, variants and operators.';

/** An operator; the secret is never part of it. */
export const operatorResponse = titled('Operator', {
  id: field.id("The operator's id.", sample.operatorRowId),
  operatorId: field.text('The name that the operator logs in with.', sample.operatorId),
  roles: list(
    enumeration('OperatorRole', operatorRoles, roleText, 'Reviewer'),
    'The roles of the operator.',
    ['Reviewer'],
  ),
  isActive: field.flag('Whether the operator can log in and use its tokens.', true),
  createdAt: field.instant('When the operator was created, in UTC.', sample.credentialCreatedAt),
});

/** The only responses that carry the secret: of the creation and of a rotation. */
export const operatorWithSecretResponse = titled('OperatorWithSecret', {
  ...operatorResponse.entries,
  operatorSecret: field.text(
    'The secret. No later response returns it; keep it in a secret store.',
    sample.operatorSecret,
  ),
});
