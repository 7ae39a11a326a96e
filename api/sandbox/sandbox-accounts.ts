import * as v from 'valibot';
import { readVendorProfile } from '../../db/accounts/vendor-profile.ts';
import { pricingModels } from '../../domain/accounts/agreement.ts';
import { capabilities } from '../../domain/accounts/capabilities.ts';
import type { Config } from '../../process/config.ts';
import { agreementOf, agreementText, pricingModelName } from '../accounts/agreement-fields.ts';
import { issueCredential } from '../accounts/issue-credential.ts';
import { agreementBody, changeAgreement } from '../accounts/operator-agreement.ts';
import { addVendor } from '../accounts/operator-vendors.ts';
import { createdCredentialResponse } from '../accounts/responses/credential.ts';
import { vendorProfile, vendorProfileResponse } from '../accounts/responses/vendor-profile.ts';
import { limitByAddress } from '../auth/limit-by-address.ts';
import { createRateLimit } from '../auth/rate-limits.ts';
import { openRoutes, vendorRoutes, type AddRoutes } from '../define-route.ts';
import { bodyBytesMax } from '../http/bodies/body-limits.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { field, titled, vendorId } from '../validation/response-parts.ts';

const vendorBody = v.strictObject({
  name: described(filledText(255, 'name'), "The vendor's name.", 'Oud & Amber Trading'),
  pricingModel: described(v.picklist(pricingModels), ...agreementText.pricingModel),
});
const registration = titled('SandboxRegistration', {
  vendor: described(
    titled('SandboxVendor', {
      id: vendorId,
      name: field.text("The vendor's name.", 'Oud & Amber Trading'),
      pricingModel: pricingModelName,
    }),
    'The new vendor.',
  ),
  credential: described(
    createdCredentialResponse,
    'The first credential, with every capability. No later response has its secret.',
  ),
});
/** The percentage of a new vendor: 25 of markup, or 15 of commission. */
const rateBasisPoints = { CostPlusMargin: 2500, PercentageOfSale: 1500 } as const;

/** The limit of registrations from one address; null: none can register. */
export const registrationLimit = (
  config: Pick<Config, 'SANDBOX_OPEN_REGISTRATION' | 'SANDBOX_REGISTRATIONS_PER_HOUR'>,
) =>
  config.SANDBOX_OPEN_REGISTRATION
    ? createRateLimit(config.SANDBOX_REGISTRATIONS_PER_HOUR, 3_600_000)
    : null;

/** `POST /api/v1/sandbox/vendors`: a vendor of its own for each integrator, without a token. */
export const sandboxRegistrationRoute: AddRoutes = (app, dependencies) => {
  const { sql, environment, registrationsPerAddress } = dependencies;
  if (registrationsPerAddress === null) return;
  const onRequest = limitByAddress(registrationsPerAddress, 'SANDBOX_REGISTRATIONS');
  openRoutes(app, { tag: 'Sandbox', onRequest })({
    at: 'POST /api/v1/sandbox/vendors',
    operationId: 'sandboxRegisterVendor',
    summary: 'Register a vendor with a credential',
    description:
      'Creates a vendor of yours and its first credential, with every capability. The ' +
      'response contains `clientSecret` **this one time**. The call needs no token. By ' +
      'default, at most 10 calls an hour from one address.',
    body: vendorBody,
    bodyBytesMax: bodyBytesMax.logIn,
    payload: registration,
    statuses: [201],
    handler: ({ body: { name, pricingModel }, request }) => {
      const agreement = { pricingModel, rateBasisPoints: rateBasisPoints[pricingModel] };
      return sql.begin(async (transaction) => {
        const { id } = await addVendor(transaction, request, { name, agreement });
        const grant = { vendorId: id, environment, capabilities };
        const credential = await issueCredential(transaction, request, grant);
        return { vendor: { id, name, pricingModel }, credential };
      });
    },
  });
};

export const sandboxAgreementRoute: AddRoutes = (app, { sql }) => {
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  route({
    at: 'PUT /api/v1/sandbox/agreement',
    operationId: 'sandboxChangeAgreement',
    summary: 'Change your agreement, as staff',
    description:
      'Puts an agreement into effect at once. `CostPlusMargin` requires `markupPercent`, ' +
      '`PercentageOfSale` requires `commissionPercent`. A change of the pricing model moves ' +
      'your `Approved` and `PendingReview` offers to `PendingRepricing`.',
    body: agreementBody,
    payload: vendorProfileResponse,
    handler: async ({ caller: { vendorId: id }, body, request }) => {
      await changeAgreement(sql, request, id, agreementOf(body));
      return vendorProfile(await readVendorProfile(sql, id));
    },
  });
};
